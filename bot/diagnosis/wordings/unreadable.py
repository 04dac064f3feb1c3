"""Which patterns nothing can be matched with; while there is one, no paste is read."""

from __future__ import annotations

import re

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, compile_pattern
from bot.diagnosis.wordings.regular import NO_PATTERN, objections


def unreadable(problem: Problem) -> tuple[tuple[int, str], ...]:
    """Return the place of each wording that is no pattern, and why it is none."""
    parts = ((place, part) for place, wording in enumerate(problem.wordings) for part in parts_of(wording))
    return tuple((place, fault) for place, part in parts if (fault := _fault(part)))


def parts_of(wording: Wording) -> list[str]:
    """Return the patterns that a wording is made of."""
    return wording.pattern.split(PASTE_SEPARATOR) if wording.scope == "paste" else [wording.pattern]


def _fault(pattern: str) -> str | None:
    found = next((objection for objection in objections(pattern) if objection.startswith(NO_PATTERN)), None)
    if found is None:
        try:
            compile_pattern(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            return f"{NO_PATTERN}: {error}"
    return found
