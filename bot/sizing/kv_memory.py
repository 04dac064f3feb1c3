"""What the allowance leaves for the KV cache, and how far that may lie off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.eras import GRAPHS_COUNTED_FROM
from bot.sizing.kv_cache.pool import Pool
from bot.sizing.kv_cache.requests import blocks_at_once, blocks_behind
from bot.sizing.overhead.activations import activation
from bot.sizing.overhead.beside import cuda_graphs
from bot.sizing.overhead.samplers import may_be_flashinfer
from bot.sizing.ranges import GIB, Estimate, remainder
from bot.sizing.resolved import Resolved
from bot.sizing.terms import Measured, Term

_CONSUMER = re.compile(r"\bRTX [2-5]0\d0\b|\bGTX\b|Laptop")

_ROUNDED = (0, -0.005, 0.005)  # "Maximum concurrency" is printed in hundredths


class KvMemory(NamedTuple):
    """The bytes of the KV cache on one GPU, the range they lie in, and whether a log printed them."""

    amount: int
    low: int
    high: int
    is_measured: bool = False


PRINTED = ("kv_available", "kv_tokens", "gpu_blocks", "concurrency")
"""The figures of a log that tell how large its KV cache is."""


def without_cache(measured: Measured) -> Measured:
    """Return what a log gave besides the KV cache."""
    return measured.model_copy(update=dict.fromkeys(PRINTED))


def kv_measured(run: Resolved, measured: Measured, pool: Pool) -> KvMemory | None:
    """Return the KV cache that a log printed or a flag sets, None where it is what the terms leave."""
    slack = round(constants.PRINTED_SLACK_GIB * GIB)
    if measured.kv_available is not None:
        seen = int(measured.kv_available)
        return KvMemory(seen, seen - slack, seen + slack, is_measured=True)
    blocks = measured.gpu_blocks
    if blocks is None and measured.kv_tokens is not None:
        blocks = blocks_behind(measured.kv_tokens, pool, run)
    if blocks is not None:
        seen = blocks * pool.bytes_per_block
        return KvMemory(seen, seen, seen + max(0, pool.bytes_per_block - 1), is_measured=True)
    if measured.concurrency and _tells_blocks(run, pool):
        return KvMemory(*(_held(measured.concurrency + off, pool, run) for off in _ROUNDED), is_measured=True)
    if run.deployment.kv_cache_memory is None:
        return None
    stated = int(run.deployment.kv_cache_memory)
    return KvMemory(stated, stated, stated)


def _tells_blocks(run: Resolved, pool: Pool) -> bool:
    """Return whether a concurrency tells a number of blocks: of several groups each release counts a request its own way."""
    return pool.bytes_per_block > 0 and (len(pool.groups) == 1 or run.version_is_stated)


def _held(concurrency: float, pool: Pool, run: Resolved) -> int:
    return blocks_at_once(concurrency, run.max_model_len, pool, run) * pool.bytes_per_block


def kv_left(run: Resolved, granted: int, terms: tuple[Term, ...], *, total_is_measured: bool) -> KvMemory:
    """Return what the terms leave of the allowance of `granted` bytes."""
    spent = {term.name: Estimate(term.amount, term.low, term.high) for term in terms if term.inside}
    slack = (0, 0) if total_is_measured else _total_slack(run)
    amount, low, high = remainder(granted, [*spent.values()], slack)
    for other in _alternatives(run, terms):
        _, least, most = remainder(granted, [*(spent | other).values()], slack)
        low, high = min(low, least), max(high, most)
    return KvMemory(amount, low, high)


def _alternatives(run: Resolved, terms: tuple[Term, ...]) -> Iterator[dict[str, Estimate]]:
    """Yield the terms that differ where a version or a package that nobody told is the other one: whole, not as noise."""
    unmeasured = {term.name: term for term in terms if not term.measured}
    if "cuda_graphs" in unmeasured and _may_count(run, unmeasured["cuda_graphs"]):
        yield {"cuda_graphs": cuda_graphs(run, counted=True)}
    if "activations" in unmeasured and may_be_flashinfer(run) and unmeasured["activations"].doubt:
        told = run._replace(deployment=run.deployment.with_(flashinfer_sampler=True))
        yield {"activations": activation(told)}


def _may_count(run: Resolved, term: Term) -> bool:
    """Whether graphs, which the assumed version leaves out, are taken off the KV cache by one that it may be."""
    return not term.inside and not run.is_v0 and not run.version_is_stated and run.may_be_from(GRAPHS_COUNTED_FROM)


def _total_slack(run: Resolved) -> tuple[int, int]:
    """Return by how much a card's total may be smaller and larger; a consumer card may turn out to be under WSL."""
    card = run.card
    guess = constants.TOTAL_SLACK_GIB if card and card.torch_memory_is_measured else constants.TOTAL_SLACK_RECALLED_GIB
    low, high = -guess.low, guess.high
    if card and card.memory and card.torch_memory and run.deployment.is_wsl is None and _CONSUMER.search(card.name):
        high = max(high, ceil(card.memory / GIB) - card.torch_memory / GIB)
    return round(low * run.utilization * GIB), round(high * run.utilization * GIB)
