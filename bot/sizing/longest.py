"""The longest context that starts, where the length itself moves what is left for the KV cache and where it does not."""

from __future__ import annotations

from collections.abc import Callable

from bot.sizing.defaults import V0_CHUNKS_ABOVE
from bot.sizing.kv_cache import requests
from bot.sizing.overhead.multimodal import grows_with_length
from bot.sizing.plain import Sizing, sizing
from bot.sizing.terms import Measured


def longest_of(found: Sizing, measured: Measured, most: int) -> int:
    """Return the longest max_model_len, up to `most` tokens, with which one request fits; 0 if none does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    if not _length_moves_the_pool(found, measured):
        return requests.longest(found.account.kv, found.pool, found.run, most)

    def holds(length: int) -> bool:
        return sizing(found.asked.with_(max_model_len=length, auto_max_model_len=None), measured).held.fits

    # V0 chunks prompts above a length of its own accord, and then needs less than for a shorter whole prompt.
    return largest(V0_CHUNKS_ABOVE + 1, most, holds) or largest(1, min(most, V0_CHUNKS_ABOVE), holds)


def largest(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the largest number up to `high` that holds, where every smaller one does too; 0 if `low` does not."""
    if low > high:
        return 0
    if holds(high):  # more often than not all of it does
        return high
    if not holds(low):
        return 0
    high -= 1
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
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
