"""Whether a deployment can have printed the figures of a log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.deployment import Deployment
from bot.sizing.calibrate import Residual, residual_of_term, tokens_of_printed_memory
from bot.sizing.card_memory import total_memory
from bot.sizing.plain import sizing
from bot.sizing.printed_cache import Fit, hold, needed, runs_of
from bot.sizing.ranges import GIB
from bot.sizing.resolved import Resolved, UnknownFactsError
from bot.sizing.terms import Measured
from bot.units import Bytes

_NOMINAL = Bytes.gib(79)  # of a card that nobody named: neither weights nor tokens of a memory go by it
_WEIGHED = ("tensor_parallel", "card", "speculation", "quantization")
_FITS, _UNFIT = Fit(is_inside=True, is_exact=True), Fit(is_inside=False, is_exact=False)
_ROUNDED = GIB // 10  # what a card holds is told by several rounded figures


@dataclass
class Fitting:
    """The figures that a log printed, against which deployments are held.

    Without every flag of the command the KV cache may have any size: then weights and what a token takes count.
    What does not fit on a card tells of the card where its name leaves several; else of the model.
    """

    figures: Measured
    tells_flags: bool
    tells_card: bool  # no other one may be meant
    needed: Bytes | None = None  # for one request, as the start-up check printed it
    _weighed: dict[tuple[Any, ...], tuple[Residual, ...]] = field(default_factory=dict[tuple[Any, ...], Any])

    @property
    def tells_tokens(self) -> bool:
        """Whether the log tells how much of a KV cache a token takes."""
        return self.needed is not None or None not in {self.figures.kv_available, self.figures.kv_tokens}

    def far_off(self, deployment: Deployment) -> tuple[Residual, ...]:
        """Return the figures that lie outside of their ranges by more than these are wide."""
        try:
            return tuple(filter(_is_far, (*self._weigh(deployment), *self._count(deployment))))
        except (UnknownFactsError, ValueError, ArithmeticError):
            return ()

    def fit(self, deployment: Deployment) -> Fit:
        """Return how a deployment fits; one that cannot be sized does not."""
        try:
            is_inside = all(each.is_inside for each in self._weigh(deployment))
            return self._hold(deployment) if is_inside else _UNFIT
        except (UnknownFactsError, ValueError, ArithmeticError):
            return _UNFIT

    def _hold(self, deployment: Deployment) -> Fit:
        """Return how the figures of the KV cache fit; pipeline stages print them of themselves alone."""
        kv, tokens = self.figures.kv_available, self.figures.kv_tokens
        if not self.tells_tokens or (deployment.pipeline_parallel or 1) > 1:
            return _FITS
        runs = runs_of(deployment)
        if self.needed is not None and not _of_needed(self.needed, runs).is_inside:
            return _UNFIT
        return _FITS if kv is None or tokens is None else hold(tokens, kv, runs)

    def _weigh(self, deployment: Deployment) -> tuple[Residual, ...]:
        """Return weights, KV memory and what both take of the card, which go by no dtype of the KV cache."""
        key = tuple(getattr(deployment, name) for name in _WEIGHED)
        if key not in self._weighed:
            self._weighed[key] = tuple(self._weighing(deployment))
        return self._weighed[key]

    def _weighing(self, deployment: Deployment) -> Iterator[Residual]:
        seen, total = self.figures, total_memory(deployment, Measured(total=self.figures.total))
        kv = seen.kv_available if total is not None and (self.tells_flags or not self.tells_card) else None
        if kv is None and seen.weights is None:
            return
        account = sizing(_on_a_card(deployment, total), Measured(total=seen.total)).account
        weights = next(term for term in account.terms if term.name == "weights")
        if seen.weights is not None:
            yield residual_of_term(weights, int(seen.weights))
        if kv is not None and self.tells_flags:
            yield Residual("kv_available", account.kv, account.kv_low, account.kv_high, int(kv))
        if kv is not None and not self.tells_card:
            yield _room(account.total, int(kv) + int(weights.low if seen.weights is None else seen.weights))

    def _count(self, deployment: Deployment) -> Iterator[Residual]:
        """Yield what is arithmetic alone: the tokens of the printed memory, and the memory of one request."""
        total = total_memory(deployment, Measured(total=self.figures.total))
        yield from tokens_of_printed_memory(_on_a_card(deployment, total), self.figures)
        if self.needed is not None and (deployment.pipeline_parallel or 1) == 1:
            yield _of_needed(self.needed, runs_of(deployment))


def _on_a_card(deployment: Deployment, total: int | None) -> Deployment:
    return deployment if total is not None else deployment.with_(gpu_memory=_NOMINAL)


def _of_needed(printed: Bytes, runs: tuple[Resolved, ...]) -> Residual:
    low, high = needed(runs)
    return Residual("kv_needed", low, low, high, int(printed))


def _room(total: int, held: int) -> Residual:
    """Return what weights and KV cache take beside all that the card has."""
    least = total - _ROUNDED
    return Residual("room", total, least, total, max(least, held))


def _is_far(each: Residual) -> bool:
    width = each.high - each.low
    return not each.low - width <= each.logged <= each.high + width
