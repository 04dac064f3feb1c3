"""All that a verdict rests on: the evidence, the deployment, its budget, and what the budget still lacks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bot.deployment import Deployment
from bot.evidence import Evidence, Line
from bot.facts import FACTS
from bot.sizing.terms import Budget, Measured, Refusal

if TYPE_CHECKING:
    from bot.diagnosis.wordings.search import Hit


@dataclass(frozen=True)
class Situation:
    """One case, as far as it is known."""

    evidence: Evidence
    deployment: Deployment
    hits: tuple[Hit, ...] = ()
    measured: Measured = field(default_factory=Measured)
    budget: Budget | None = None
    lacking: tuple[str, ...] = ()  # facts without which nothing can be sized
    refusals: tuple[Refusal, ...] = ()
    is_changed: bool = False  # the deployment was patched: what the log said of the old one counts no more
    worked_out: dict[str, Any] = field(default_factory=dict[str, Any], init=False, compare=False, repr=False)
    """Named amounts as they are worked out, so that each is worked out once."""

    @cached_property
    def problems(self) -> frozenset[str]:
        """The ids of the problems whose wordings stand in the paste."""
        return frozenset(hit.problem.id for hit in self.hits)

    def hits_of(self, problem: str) -> tuple[Hit, ...]:
        """Return the hits of one problem."""
        return tuple(hit for hit in self.hits if hit.problem.id == problem)

    def fact(self, name: str) -> Any:
        """Return a fact: stated, measured, or what vLLM does by default where the whole command is known."""
        stated = self.stated(name)
        if stated is not None or self.budget is None or not self.deployment.command:
            return stated
        return getattr(self.budget.deployment, name, None)

    def stated(self, name: str) -> Any:
        """Return a stated or measured fact, or what the catalogue completed it to; None when unknown."""
        if self.is_changed and name in FACTS and FACTS[name].is_logged:
            return getattr(self.measured, name, None)
        if self.is_changed and name in Deployment.model_fields:
            return getattr(self.deployment, name)
        value = self.evidence.value(name)
        return getattr(self.deployment, name, None) if value is None else value

    def lines_of(self, names: Iterable[str]) -> tuple[Line, ...]:
        """Return the lines that facts were read from."""
        facts = (self.evidence.facts.get(name) for name in names)
        return self.lines_at(fact.line for fact in facts if fact)

    def lines_at(self, numbers: Iterable[int | None]) -> tuple[Line, ...]:
        """Return the lines with these numbers."""
        wanted = sorted({number for number in numbers if number is not None})
        return tuple(self._numbered[number] for number in wanted if number in self._numbered)

    @cached_property
    def _numbered(self) -> dict[int, Line]:
        return {line.number: line for line in self.evidence.lines}
