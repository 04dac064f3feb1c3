"""Which message an exception began with, where the paste ends in the middle of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.catalog.problem import Problem
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.alike import fold
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, skeleton
from bot.evidence import Line

SHORTEST = 16
"""Characters that a beginning needs: fewer are common to many messages."""

FEWEST_WORDS = 2

_EXCEPTION = re.compile(r"\b\w{1,60}(?:Error|Exception): {1,4}(\S.{1,400})\Z")
_DOTS = re.compile(r"\s*(?:\.{3}|…)?\s*\Z")


def find_cut(problems: Iterable[Problem], lines: Sequence[Line]) -> tuple[Match, ...]:
    """Return the one problem a message of which begins as the paste ends, or nothing when several do."""
    line = next((line for line in reversed(lines) if line.text.strip()), None)
    told = _EXCEPTION.search(line.message.rstrip()) if line else None
    begun = fold(_DOTS.sub("", told[1])) if told else ""
    if line is None or len(begun) < SHORTEST or len(begun.split()) < FEWEST_WORDS:
        return ()
    found = {match.problem.id: match for match in _beginning(problems, begun, line)}
    return tuple(found.values()) if len(found) == 1 else ()


def _beginning(problems: Iterable[Problem], begun: str, line: Line) -> Iterable[Match]:
    for problem in problems:
        for wording in problem.wordings if problem.status == "active" else ():
            whole = fold(skeleton(wording.pattern.split(PASTE_SEPARATOR)[0])) if wording.kind == "message" else ""
            if whole.startswith(begun):
                likeness = round(100 * len(begun) / len(whole), 1)
                yield Match(problem=problem, wording=wording, line=line, is_exact=False, similarity=likeness)
