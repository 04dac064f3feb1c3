"""The longest context that starts, where the length itself moves what is left for the KV cache and where it does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.sizing.accounting import loaded_stages
from bot.sizing.defaults import V0_CHUNKS_ABOVE
from bot.sizing.kv_cache import requests
from bot.sizing.overhead.multimodal import grows_with_length
from bot.sizing.plain import Sizing, spare_at
from bot.sizing.terms import Measured

_AHEAD = 4  # times the width: two tries that need not halve it
_ASIDE = 256  # of the width


def longest_of(found: Sizing, measured: Measured, most: int) -> int:
    """Return the longest max_model_len, up to `most` tokens, with which one request fits; 0 if none does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    if not _length_moves_the_pool(found, measured):
        return requests.longest(found.account.kv, found.pool, found.run, most)

    room = partial(spare_at, found=found, measured=measured, loaded=loaded_stages(found.run, measured))
    # V0 chunks prompts above a length of its own accord, and then needs less than for a shorter whole prompt.
    return largest(V0_CHUNKS_ABOVE + 1, most, room) or largest(1, min(most, V0_CHUNKS_ABOVE), room)


def largest(low: int, high: int, room: Callable[[int], float]) -> int:
    """Return the largest number up to `high` whose room is not negative, where no smaller one's is; 0 if `low`'s is.

    The next one tried lies where a straight line through both ends leaves no room, a little towards the middle, so that
    either end moves; and not so far out that it could take more than two tries beyond those that halving takes.
    """
    if low > high:
        return 0
    if (short := room(high)) >= 0:  # more often than not all of it does
        return high
    if (spare := room(low)) < 0:
        return 0
    widest = _AHEAD * (high - low)
    while high - low > 1:
        widest = -(-widest // 2)
        crossing = low + int((high - low) * spare / (spare - short))
        aside = max(1, (high - low) // _ASIDE)
        crossing += aside if 2 * crossing < low + high else -aside
        middle = min(max(crossing, low + 1, high - widest), high - 1, low + widest)
        if (found := room(middle)) >= 0:
            low, spare = middle, found
        else:
            high, short = middle, found
    return low


def _length_moves_the_pool(found: Sizing, measured: Measured) -> bool:
    """Without chunked prefill the batch must take a whole prompt, and some towers a video as long as fits."""
    if found.account.kv_measured:
        return False
    if measured.activation is None and grows_with_length(found.run):
        return True
    if found.asked.max_num_batched_tokens is not None:
        return False
    return found.run.is_v0 or found.run.deployment.chunked_prefill is False
