"""What one request takes of the KV cache, and the figures that vLLM prints about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bot.model_shape import LayerKind
from bot.sizing.kv_cache.per_layer import FRAMES
from bot.sizing.kv_cache.pool import Group, Pool
from bot.sizing.kv_cache.states import exports_checkpoint
from bot.sizing.largest import largest
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2

_SHORTEST = 10  # 2 to the power of that many tokens
Wanted = Callable[[int, Pool, Resolved], int]  # bytes for a request of so many tokens
_CHECKS_OVERRIDE = (0, 20, 1)
COUNTS_BATCH = (0, 13)


class Holding(NamedTuple):
    """What a KV cache of some size holds."""

    blocks: int
    tokens: int  # as this version prints "GPU KV cache size"
    concurrency: float
    needed: int  # bytes that one request of max_model_len must find
    usable: int  # bytes the check compares with
    fits: bool
    checked: int = 0  # bytes that this version's own check wants, which may be fewer than are needed

    @property
    def starts(self) -> bool:
        """Whether this version's own check lets the engine start."""
        return 0 < self.usable >= self.checked


def held(kv_bytes: int, pool: Pool, run: Resolved) -> Holding:
    """Return what `kv_bytes` on the tightest GPU hold at the deployment's max_model_len."""
    length = run.max_model_len
    if pool.is_empty:
        return Holding(0, 0, 0.0, 0, kv_bytes, fits=kv_bytes > 0)
    blocks = max(0, kv_bytes // max(1, pool.bytes_per_block))  # a stage may have none of the layers that keep something
    blocks = run.deployment.num_gpu_blocks_override or blocks
    concurrency = at_once(blocks, length, pool, run)
    need = needed(length, pool, run)
    have = usable(kv_bytes, pool, run)
    tokens, checks = printed_tokens(blocks, concurrency, pool, run), checked(length, pool, run)
    fits = _beyond(have, kept(kv_bytes, pool, run), need) >= 0
    return Holding(blocks, tokens, concurrency, need, have, fits=fits, checked=checks)


def spare(kv_bytes: int, pool: Pool, run: Resolved) -> int:
    """Return the bytes that one request of max_model_len leaves of `kv_bytes`; negative where it does not fit."""
    if pool.is_empty:
        return kv_bytes - 1
    need = needed(run.max_model_len, pool, run)
    return _beyond(usable(kv_bytes, pool, run), kept(kv_bytes, pool, run), need)


def _beyond(have: int, stored: int, need: int) -> int:
    left = min(have, stored) - need
    return left if have > 0 else min(left, -1)


def at_once(blocks: int, length: int, pool: Pool, run: Resolved) -> float:
    """Return how many requests of `length` tokens that many blocks hold."""
    if run.is_v0 or run.release < (0, 9, 1):
        return blocks * pool.block_size / length
    per_request = blocks_per_request(length, pool, run)
    return blocks / per_request if per_request else 0.0


def blocks_at_once(concurrency: float, length: int, pool: Pool, run: Resolved) -> int:
    """Return the blocks behind a printed "Maximum concurrency": the inverse of `at_once`, to the nearest block."""
    return round(concurrency / at_once(1, length, pool, run))


def at_lengths(blocks: int, pool: Pool, run: Resolved) -> tuple[tuple[int, float], ...]:
    """Return (tokens, how many requests of so many) for lengths up to max_model_len.

    Layers with a window take no more for a longer request: at half the length there are not twice as many.
    """
    if not pool.bytes_per_block:
        return ()
    powers = (1 << power for power in range(_SHORTEST, run.max_model_len.bit_length()))
    lengths = dict.fromkeys([*powers, run.max_model_len])
    return tuple((length, at_once(blocks, length, pool, run)) for length in lengths)


def blocks_per_request(length: int, pool: Pool, run: Resolved) -> int:
    """Return the blocks, over all groups, that a request of `length` tokens takes."""
    return _blocks_of(pool.groups, length, run)


def _blocks_of(groups: Iterable[Group], length: int, run: Resolved) -> int:
    """Add up the blocks of a request; of groups side by side that are one object one is asked."""
    total, asked, blocks = 0, None, 0
    for group in groups:
        if group is not asked:
            asked, blocks = group, group_blocks(group, length, run)
        total += blocks
    return total


def group_blocks(group: Group, length: int, run: Resolved) -> int:
    """Return the blocks that a request of `length` tokens takes in one group.

    Cross attention keeps the encoder's positions; from 0.13 as many are counted as a step has tokens.

    Source: vLLM `v1/kv_cache_interface.py`, max_memory_usage_bytes of each spec; `config/vllm.py` of 0.12 and
    `config/scheduler.py` of 0.13, max_num_encoder_input_tokens.
    """
    spec, block = group.spec, group.block_size
    if spec.is_state:
        return _state_blocks(spec.kind, length, block, run)
    if spec.kind == LayerKind.SLIDING.value and spec.window:
        return -(-min(spec.window - 1 + in_flight_tokens(run), length) // block) + 1
    if spec.kind == LayerKind.CHUNKED.value and spec.window:
        return -(-min(spec.window + in_flight_tokens(run), length) // block)
    if spec.kind == LayerKind.CROSS.value:
        counted = FRAMES if run.release < COUNTS_BATCH else run.max_num_batched_tokens
        return -(-counted // block)
    share = -(-length // run.context_parallel)
    return -(-share // block) + spec.tail_blocks


def in_flight_tokens(run: Resolved) -> int:
    """Return the tokens that may be scheduled at once; from 0.26 several batches are in flight.

    As many as pipeline stages, and one more where the next is scheduled ahead; over stages only by model runner V2.

    Source: vLLM `config/vllm.py`, max_concurrent_batches, of 0.26 to 0.33.
    """
    if run.release < (0, 26):
        return run.max_num_batched_tokens
    is_ahead = run.deployment.async_scheduling is not False and (run.pipeline_parallel == 1 or uses_runner_v2(run))
    return run.max_num_batched_tokens * (run.pipeline_parallel + is_ahead)


def needed(length: int, pool: Pool, run: Resolved) -> int:
    """Return the bytes that one request of `length` tokens must find: what it takes, and what the check wants of it."""
    return max(taken(length, pool, run), checked(length, pool, run))


def taken(length: int, pool: Pool, run: Resolved) -> int:
    """Return the bytes of the blocks that one request of `length` tokens takes, the padding of groups with them."""
    return blocks_per_request(length, pool, run) * pool.bytes_per_block


def checked(length: int, pool: Pool, run: Resolved) -> int:
    """Return the bytes that the start-up check wants for one request of `length` tokens.

    Up to 0.13 each layer's bytes are added up, without the padding of groups; 0.14 and 0.15 count all pipeline stages
    against the memory of one, and 0.14 to 0.18 the first layer's group alone. An engine that such a check lets start
    may hold no request of `length` tokens.

    Source: vLLM `v1/core/kv_cache_utils.py`, check_enough_kv_cache_memory of 0.13, _max_memory_usage_bytes_from_groups
    of 0.14, 0.18 and 0.19.
    """
    if run.is_v0 or (run.release < (0, 14) and run.pipeline_parallel > 1):
        return taken(length, pool, run)
    if run.release < (0, 14):
        return sum(layer_bytes(group, length, run) for group in pool.whole_layers)
    per_block = pool.whole_bytes_per_block if run.release < (0, 16) else pool.checked_bytes or pool.bytes_per_block
    counted = pool.groups[:1] if run.release < (0, 19) else pool.groups
    return _blocks_of(counted, length, run) * per_block


def layer_bytes(group: Group, length: int, run: Resolved) -> int:
    """Return the bytes that a request takes in all layers of one spec, without padding."""
    page = group.spec.state_bytes or group.spec.token_bytes * group.block_size
    return group_blocks(group, length, run) * page * group.layers


def usable(kv_bytes: int, pool: Pool, run: Resolved) -> int:
    """Return the bytes that the check compares with: from 0.29 one block is set aside.

    V1 checks what was left, and not the blocks that were set by hand, before 0.20.1: such an engine starts with any number.

    Source: vLLM `v1/core/kv_cache_utils.py`, get_kv_cache_configs, of 0.20.0 and 0.20.1; `worker/worker.py`,
    raise_if_cache_size_invalid.
    """
    if run.is_v0 or run.release >= _CHECKS_OVERRIDE:
        kv_bytes = kept(kv_bytes, pool, run)
    return kv_bytes - (pool.bytes_per_block if run.release >= (0, 29) else 0)


def kept(kv_bytes: int, pool: Pool, run: Resolved) -> int:
    """Return the bytes of the KV cache that is allocated: what is left, or the blocks that were set by hand."""
    override = run.deployment.num_gpu_blocks_override
    return override * pool.bytes_per_block if override else kv_bytes


def longest(kv_bytes: int, pool: Pool, run: Resolved, most: int, wanted: Wanted = needed) -> int:
    """Return the longest context, up to `most` tokens, of which one request fits; 0 if none does.

    The "estimated maximum model length" of the error message is this with `most` = max_model_len and what is `checked`.
    """
    have = min(usable(kv_bytes, pool, run), kept(kv_bytes, pool, run))

    def room(length: int) -> int:
        return have - wanted(length, pool, run)

    return largest(1, most, room) if have > 0 else 0


def printed_tokens(blocks: int, concurrency: float, pool: Pool, run: Resolved) -> int:
    """Return "GPU KV cache size" as this version prints it; V0 prints blocks, which are turned into tokens."""
    if run.is_v0 or run.release < (0, 9, 1):
        return blocks * pool.block_size
    if run.release < (0, 20, 1):
        groups = max(1, len(pool.groups))
        return blocks // groups * pool.block_size * run.context_parallel
    return int(concurrency * run.max_model_len)


def blocks_behind(tokens: int, pool: Pool, run: Resolved) -> int:
    """Return the blocks behind a printed "GPU KV cache size": the inverse of `printed_tokens`."""
    if run.is_v0 or run.release < (0, 9, 1):
        return tokens // pool.block_size
    if run.release < (0, 20, 1):
        return tokens // (pool.block_size * run.context_parallel) * max(1, len(pool.groups))
    per_request = blocks_per_request(run.max_model_len, pool, run)
    return -(-tokens * per_request // run.max_model_len)


def _state_blocks(kind: str, length: int, block: int, run: Resolved) -> int:
    """Return the states kept for one request: one, or with prefix caching the newest two, and one for each draft token.

    Source: vLLM `v1/kv_cache_interface.py`, MambaSpec; 0.15 and 0.16 kept none for draft tokens where they keep all.
    """
    mode = run.deployment.mamba_cache_mode or "none"
    if run.release < (0, 11, 1):
        return 1
    if mode == "all":
        return -(-length // block) + (run.spec_tokens if run.release >= (0, 17) else 0)
    if run.release < (0, 15):
        return 1
    kept = 2 + int(exports_checkpoint(LayerKind(kind), run.shape, run.release, run.card)) if mode == "align" else 1
    return kept + run.spec_tokens
