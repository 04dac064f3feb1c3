"""Whether a deployment can have printed what a log says of its KV cache, which comes in whole blocks: no estimate is in it."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Deployment
from bot.sizing import constants
from bot.sizing.defaults import fill
from bot.sizing.doubted_tokens import may_be_fp8, with_other_states
from bot.sizing.kv_cache import groups
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import at_once, blocks_behind, checked, printed_tokens
from bot.sizing.ranges import GIB
from bot.sizing.resolved import Resolved, resolve
from bot.units import Bytes

_SLACK = round(constants.PRINTED_SLACK_GIB * GIB) + 1


class Fit(NamedTuple):
    """Whether a figure lies in its range, and whether it is exactly what is printed for an amount in that range."""

    is_inside: bool
    is_exact: bool


class Between(NamedTuple):
    """The range of what may be printed, rounding included."""

    low: int
    high: int


def runs_of(deployment: Deployment) -> tuple[Resolved, ...]:
    """Return the run, and what it may also be where nobody told how it stores states, or tokens.

    Raises:
        UnknownFactsError: The model's shape is unknown.
    """
    filled, assumed = fill(deployment)
    run = resolve(filled, frozenset(assumed))
    fp8 = resolve(filled.with_(kv_cache_dtype="fp8"), run.assumed) if may_be_fp8(run) else None
    return tuple(each for each in (run, with_other_states(run), fp8) if each is not None)


def is_timeless(deployment: Deployment) -> bool:
    """Return whether a token takes the same in every release: in layers of one kind, as the model's own dtype.

    Raises:
        UnknownFactsError: The model's shape is unknown.
    """
    run, *others = runs_of(deployment)
    wants_another = run.shape.quantization is not None and run.shape.quantization.kv_cache is not None
    is_sparse = any(layers.layer.has_indexer for layers in run.shape.runs)
    return not (others or wants_another or is_sparse) and len(groups.pool(run).groups) == 1


def tokens_in(blocks: int, deployment: Deployment) -> int | None:
    """Return the tokens in blocks of the old engine, which prints no tokens; None for another engine.

    Raises:
        UnknownFactsError: The model's shape is unknown.
    """
    run, *_ = runs_of(deployment)
    return _tokens(blocks, groups.pool(run), run) if run.is_v0 else None


def hold(tokens: int, kv: Bytes, runs: tuple[Resolved, ...]) -> Fit:
    """Return whether `kv` bytes, which were rounded for the print, may hold so many tokens.

    Ranks print memory of their own and the tokens of the tightest, so that a block more or less is none.
    """
    is_inside = is_exact = False
    for run in runs:
        pool = groups.pool(run)
        if pool.bytes_per_block:
            blocks = Between(*(max(0, amount) // pool.bytes_per_block for amount in (kv - _SLACK, kv + _SLACK)))
            low, high = (_tokens(count, pool, run) for count in blocks)
            is_inside = is_inside or low - pool.block_size <= tokens <= high + pool.block_size
            is_exact = is_exact or (low <= tokens <= high and _is_exact(tokens, blocks, pool, run))
    return Fit(is_inside, is_exact)


def needed(runs: tuple[Resolved, ...]) -> Between:
    """Return the bytes that one request of max_model_len needs, as the start-up check prints them."""
    amounts = [checked(run.max_model_len, groups.pool(run), run) for run in runs]
    return Between(min(amounts) - _SLACK, max(amounts) + _SLACK)


def _is_exact(tokens: int, blocks: Between, pool: Pool, run: Resolved) -> bool:
    near = blocks_behind(tokens, pool, run)
    tried = range(max(blocks.low, near - 1), min(blocks.high, near + len(pool.groups)) + 1)
    return any(_tokens(count, pool, run) == tokens for count in tried)


def _tokens(blocks: int, pool: Pool, run: Resolved) -> int:
    return printed_tokens(blocks, at_once(blocks, run.max_model_len, pool, run), pool, run)
