"""Which message a paste begins and does not end: an exception at its end, or a line that was cut at some column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.alike import errorish, fold
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, literal_runs, skeleton
from bot.diagnosis.wordings.ranking import LEAST_TELLING
from bot.evidence import Line

SHORTEST = 16
"""Characters that a beginning needs: fewer are common to many messages."""

FEWEST_WORDS = 2

SHORTEST_WITHIN = 20
"""Characters of the message that are needed on a line that begins with something else."""

SHORTEST_RUN = 12
"""Characters with which the message begins, before anything of it that varies."""

WIDEST_GAP = 60
"""Characters that what varies in a message may take."""

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
    texts = list(_texts(problems))
    matches = list[Match]()
    for line, folded in errorish(lines):
        ended = _DOTS.sub("", folded)
        for problem, wording, runs in texts:
            share = _share_begun(runs, ended) if runs[0][:SHORTEST_RUN] in ended else 0.0
            if share >= LEAST_SHARE:
                similarity = round(100 * share, 1)
                matches.append(
                    Match(problem=problem, wording=wording, line=line, is_exact=False, similarity=similarity)
                )
    return _only(matches)


def _texts(problems: Iterable[Problem]) -> Iterator[tuple[Problem, Wording, tuple[str, ...]]]:
    """Yield the messages that begin with a text of their own; what any program may print begins nothing."""
    for problem in problems:
        for wording in problem.wordings if problem.status == "active" else ():
            if wording.kind == "message" and wording.weight >= LEAST_TELLING and PASTE_SEPARATOR not in wording.pattern:
                runs = _folded_runs(wording.pattern)
                if runs and len(runs[0]) >= SHORTEST_RUN:
                    yield problem, wording, runs


@lru_cache(maxsize=8192)
def _folded_runs(pattern: str) -> tuple[str, ...]:
    return tuple(map(_fold_run, literal_runs(pattern)))


def _fold_run(run: str) -> str:
    """Return a run of a message folded, with the spaces at its ends."""
    return f"{' ' * run.startswith(' ')}{fold(run)}{' ' * run.endswith(' ')}" if run.strip() else run


def _share_begun(runs: Sequence[str], text: str) -> float:
    """Return how much of a message's text a text ends with, from its beginning on; 0 where it ends otherwise, or whole."""
    place, met = text.find(runs[0][:SHORTEST_RUN]), 0
    for run in runs:
        found = text.find(run, place, place + len(run) + (WIDEST_GAP if met else 0))
        if found < 0:
            rest = text[place:]
            begun = next((size for size in range(len(run) - 1, 0, -1) if rest.endswith(run[:size])), 0)
            is_end = len(rest) - begun <= (WIDEST_GAP if met else 0)
            return (met + begun) / sum(map(len, runs)) if is_end and met + begun >= SHORTEST_WITHIN else 0.0
        place, met = found + len(run), met + len(run)
    return 0.0


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
