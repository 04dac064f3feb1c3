"""The longest context that starts, where the length itself moves what is left for the KV cache and where it does not."""

from __future__ import annotations

from functools import partial

from bot.sizing.accounting import held_beside
from bot.sizing.defaults import V0_CHUNKS_ABOVE
from bot.sizing.kv_cache import requests
from bot.sizing.largest import largest
from bot.sizing.overhead.multimodal import grows_with_length
from bot.sizing.plain import Sizing, spare_at
from bot.sizing.terms import Measured


def longest_of(found: Sizing, measured: Measured, most: int) -> int:
    """Return the longest max_model_len, up to `most` tokens, with which one request fits; 0 if none does.

    Raises:
        UnknownFactsError: The model's shape or the GPU's memory is unknown.
    """
    if not _length_moves_the_pool(found, measured):
        return requests.longest(found.account.kv, found.pool, found.run, most)

    beside = held_beside(found.run, measured, found.loaded)
    room = partial(spare_at, found=found, measured=measured, beside=beside)
    # V0 chunks prompts above a length of its own accord, and then needs less than for a shorter whole prompt.
    return largest(V0_CHUNKS_ABOVE + 1, most, room) or largest(1, min(most, V0_CHUNKS_ABOVE), room)


def _length_moves_the_pool(found: Sizing, measured: Measured) -> bool:
    """Without chunked prefill the batch must take a whole prompt, and some towers a video as long as fits."""
    if found.account.kv_measured:
        return False
    if measured.activation is None and grows_with_length(found.run):
        return True
    if found.asked.max_num_batched_tokens is not None:
        return False
    return found.run.is_v0 or found.run.deployment.chunked_prefill is False
