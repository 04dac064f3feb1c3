"""How far predictions lie from what start-up logs printed, and how honest their ranges are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from bot.deployment import Deployment
from bot.sizing.constants import PRINTED_SLACK_GIB
from bot.sizing.eras import era_of, release_of
from bot.sizing.ranges import GIB
from bot.sizing.size import size
from bot.sizing.terms import Budget, Measured, Term
from bot.units import Bytes

FIGURES = (
    "weights", "activation", "non_torch", "cudagraph", "cudagraph_estimated", "kv_available", "kv_tokens", "gpu_blocks",
)  # fmt: skip
"""What a log may print that is predicted."""

TERMS = (
    "weights", "activations", "non_torch", "cuda_graphs", "kv_available", "kv_tokens", "tokens_of_memory",
)  # fmt: skip
"""What is held against a log, in the order of a budget; `tokens_of_memory` takes the memory as it was printed."""

_TOKENS = frozenset({"kv_tokens", "tokens_of_memory"})
_TERMS = {"weights": "weights", "activation": "activations", "non_torch": "non_torch"}
PRINTS_TOKENS_FROM = (0, 9, 1)
"""The release from which the size of the KV cache is printed in tokens."""

_SLACK = round(PRINTED_SLACK_GIB * GIB) + 1


class Coverage(NamedTuple):
    """One term over many logs: how many figures lie inside the stated range, and the errors, in bytes."""

    term: str
    logs: int
    inside: int
    median_error: float  # predicted − logged
    median_share: float | None  # |predicted − logged| ÷ logged; None where nothing was printed that is above zero
    worst_error: float
    median_width: float  # of the range

    @property
    def share_inside(self) -> float:
        """The share of logged figures inside the range; 0.9 is what the ranges promise."""
        return self.inside / self.logs


class Residual(NamedTuple):
    """One figure of one log beside its prediction, in bytes (tokens for `kv_tokens` and `tokens_of_memory`)."""

    term: str
    predicted: int
    low: int
    high: int
    logged: int

    @property
    def is_inside(self) -> bool:
        """Whether the figure lies in the stated range."""
        return self.low <= self.logged <= self.high


def residuals_of(budget: Budget, seen: Measured) -> tuple[Residual, ...]:
    """Return every figure that both sides know, in the order of a budget; the rounding of the print is allowed for."""
    return tuple(_residuals(budget, seen))


def tokens_of_printed_memory(stated: Deployment, seen: Measured) -> tuple[Residual, ...]:
    """Return the printed tokens beside what the printed memory of the KV cache holds: arithmetic alone, no estimate."""
    if seen.kv_available is None or (stated.pipeline_parallel or 1) > 1:  # stages print memory and tokens of their own
        return ()
    budget = size(stated, Measured(kv_available=seen.kv_available, total=seen.total))
    held = _tokens(budget, seen)
    if held is None:
        return ()
    block = budget.block_size
    low, high = max(0, budget.kv_tokens_low - block), budget.kv_tokens_high + block
    return (Residual("tokens_of_memory", budget.kv_tokens, low, high, held),)


def coverage(residuals: Iterable[Residual]) -> tuple[Coverage, ...]:
    """Return the coverage of each term, in the order of a budget."""
    by_term: dict[str, list[Residual]] = {}
    for residual in residuals:
        by_term.setdefault(residual.term, []).append(residual)
    return tuple(_coverage(term, by_term[term]) for term in TERMS if term in by_term)


def _residuals(budget: Budget, seen: Measured) -> Iterator[Residual]:
    for field, name in _TERMS.items():
        amount, term = getattr(seen, field), budget.term(name)
        if field == "activation":
            amount = _without_graphs(amount, budget, seen)
        if amount is not None and term is not None:
            yield residual_of_term(term, int(amount))
    graphs = budget.term("cuda_graphs")
    amount = seen.cudagraph_estimated if graphs is not None and graphs.inside else seen.cudagraph
    if graphs is not None and amount is not None:
        yield residual_of_term(graphs, int(amount))
    if (left := seen.kv_available) is not None:
        low, high = int(budget.kv_low) - _SLACK, int(budget.kv_high) + _SLACK
        yield Residual("kv_available", int(budget.kv_available), low, high, int(left))
    if (held := _tokens(budget, seen)) is not None:
        yield Residual("kv_tokens", budget.kv_tokens, budget.kv_tokens_low, budget.kv_tokens_high, held)


def _tokens(budget: Budget, seen: Measured) -> int | None:
    """The printed tokens; versions that print blocks alone have one group of layers, so a block is its tokens."""
    if seen.kv_tokens is not None or seen.gpu_blocks is None:
        return seen.kv_tokens
    version = budget.deployment.vllm_version
    prints_blocks = version is not None and release_of(version) < PRINTS_TOKENS_FROM and seen.kv_available is None
    return seen.gpu_blocks * budget.block_size if prints_blocks else None


def _without_graphs(amount: Bytes | None, budget: Budget, seen: Measured) -> Bytes | None:
    """From 0.27 the printed peak holds the estimate of the graphs too: unknown where that is not printed."""
    graphs, version = budget.term("cuda_graphs"), budget.deployment.vllm_version
    if amount is None or graphs is None or not graphs.inside or not graphs.amount:
        return amount
    if version is None or not era_of(release_of(version)).counts_consumed:
        return amount
    return None if seen.cudagraph_estimated is None else Bytes(max(0, amount - seen.cudagraph_estimated))


def residual_of_term(term: Term, logged: int) -> Residual:
    """Return a term beside its printed figure; the rounding of the print is allowed for."""
    low = max(0, int(term.low) - _SLACK)
    return Residual(term.name, int(term.amount), low, int(term.high) + _SLACK, logged)


def _coverage(term: str, residuals: Sequence[Residual]) -> Coverage:
    errors = [residual.predicted - residual.logged for residual in residuals]
    least = 0 if term in _TOKENS else _SLACK  # what prints as nothing is no measure of an error
    shares = [abs(each.predicted - each.logged) / each.logged for each in residuals if each.logged > least]
    return Coverage(
        term,
        len(residuals),
        sum(residual.is_inside for residual in residuals),
        median(errors),
        median(shares) if shares else None,
        max(errors, key=abs),
        median(residual.high - residual.low for residual in residuals),
    )
