"""Which message a paste begins and does not end: an exception at its end, or a line that was cut at some column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bot.catalog.problem import Problem
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.alike import candidates, errorish, fold
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, skeleton
from bot.evidence import Line

SHORTEST = 16
"""Characters that a beginning needs: fewer are common to many messages."""

FEWEST_WORDS = 2

SHORTEST_WITHIN = 24
"""Characters that it needs on a line that begins with something else."""

LEAST_SHARE = 0.5
"""Of the message, there."""

_EXCEPTION = re.compile(r"\b\w{1,60}(?:Error|Exception): {1,4}(\S.{1,400})\Z")
_DOTS = re.compile(r"\s*(?:\.{3}|…)?\s*\Z")


def find_cut(problems: Iterable[Problem], lines: Sequence[Line]) -> tuple[Match, ...]:
    """Return the one problem a message of which begins as the paste ends, or nothing when several do."""
    line = next((line for line in reversed(lines) if line.text.strip()), None)
    told = _EXCEPTION.search(line.message.rstrip()) if line else None
    begun = fold(_DOTS.sub("", told[1])) if told else ""
    if line is None or len(begun) < SHORTEST or len(begun.split()) < FEWEST_WORDS:
        return ()
    return _only(_beginning(problems, begun, line))


def find_cut_within(problems: Iterable[Problem], lines: Sequence[Line]) -> tuple[Match, ...]:
    """Return the one problem the first half of whose message ends a line that tells of an error."""
    texts = [offer for offer in candidates(problems) if len(offer[2]) > SHORTEST_WITHIN]
    matches = list[Match]()
    for line, folded in errorish(lines):
        for problem, wording, whole in texts:
            place = folded.find(whole[:SHORTEST_WITHIN])
            begun = _DOTS.sub("", folded[place:]) if place >= 0 else ""
            if begun and whole.startswith(begun) and len(begun) >= LEAST_SHARE * len(whole):
                likeness = round(100 * len(begun) / len(whole), 1)
                matches.append(Match(problem=problem, wording=wording, line=line, is_exact=False, similarity=likeness))
    return _only(matches)


def _only(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Return the match of the one problem that they are of."""
    found = {match.problem.id: match for match in matches}
    return tuple(found.values()) if len(found) == 1 else ()


def _beginning(problems: Iterable[Problem], begun: str, line: Line) -> Iterator[Match]:
    for problem in problems:
        for wording in problem.wordings if problem.status == "active" else ():
            whole = fold(skeleton(wording.pattern.split(PASTE_SEPARATOR)[0])) if wording.kind == "message" else ""
            if whole.startswith(begun):
                likeness = round(100 * len(begun) / len(whole), 1)
                yield Match(problem=problem, wording=wording, line=line, is_exact=False, similarity=likeness)
