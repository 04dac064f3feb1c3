"""A named amount: a figure derived from a case, which conditions, fixes and sentences of the knowledge may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bot.diagnosis.situation import Situation
from bot.evidence import Line


class Amount(NamedTuple):
    """How an amount is worked out, and what a person must tell when it cannot be."""

    of: Callable[[Situation], Any]
    waits_for: Callable[[Situation], tuple[str, ...]]
    lines: Callable[[Situation], tuple[Line, ...]]
    meaning: str  # as knowledge/README.md has it


def facts_named(*names: str) -> Callable[[Situation], tuple[str, ...]]:
    """Return a function that names those of `names` that nobody stated."""
    return lambda situation: tuple(name for name in names if situation.stated(name) is None)


def lines_from(*names: str) -> Callable[[Situation], tuple[Line, ...]]:
    """Return a function that gives the lines these facts stand on."""
    return lambda situation: situation.lines_of(names)


def sizing_needs(situation: Situation) -> tuple[str, ...]:
    """Return the facts without which a case cannot be sized."""
    return situation.lacking or facts_named("model", "gpu")(situation)


def sized(of: Callable[[Situation], Any], *facts: str) -> Amount:
    """Return an amount that sizing works out, or that the log printed as one of `facts`."""
    return Amount(of, sizing_needs, lines_from(*facts), first_sentence(of))


def stated(of: Callable[[Situation], Any], *facts: str) -> Amount:
    """Return an amount that follows from `facts` without sizing."""
    return Amount(of, facts_named(*facts), lines_from(*facts), first_sentence(of))


def first_sentence(of: Callable[[Situation], Any]) -> str:
    """Return what a function returns, as its docstring says first."""
    return (of.__doc__ or "").split("\n", maxsplit=1)[0].removeprefix("Return ").removesuffix(".")
