"""A named amount: a figure derived from a case, which conditions, fixes and sentences of the knowledge may use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.diagnosis.situation import Situation
from bot.evidence import Line


@dataclass(frozen=True, slots=True)
class Amount:
    """How an amount is worked out, and what a person must tell when it cannot be."""

    of: Callable[[Situation], Any]
    waits_for: Callable[[Situation], tuple[str, ...]]
    lines: Callable[[Situation], tuple[Line, ...]]
    meaning: str


def facts_named(*names: str) -> Callable[[Situation], tuple[str, ...]]:
    """Return a function that names those of `names` that nobody stated."""
    return lambda situation: tuple(name for name in names if situation.stated(name) is None)


def lines_from(*names: str) -> Callable[[Situation], tuple[Line, ...]]:
    """Return a function that gives the lines these facts stand on."""
    return lambda situation: situation.lines_of(names)
