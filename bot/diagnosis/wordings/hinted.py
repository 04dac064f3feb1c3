"""Which problem a person's words hint at, when one part of its description is missing from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.misspelt import key_terms, respell
from bot.diagnosis.wordings.patterns import OUT_OF_MEMORY, PASTE_SEPARATOR, UNSOUGHT, search
from bot.diagnosis.words.roles import is_denied
from bot.evidence import Line

LEAST_TOLD = 3.5
"""What the parts that were said must tell together, in natural units: less is common to several problems."""

LEAST_SHARE = 0.5
"""Of what the whole description tells."""

MARGIN = 0.4
"""What the best problem must tell more than the second."""

MOST_LINES = 12
"""A complaint is short; of a longer one the beginning says what it is."""


@dataclass(frozen=True, slots=True)
class _Hint:
    match: Match
    told: float


def find_hinted(problems: Iterable[Problem], prose: Sequence[Line]) -> tuple[Match, ...]:
    """Return the one problem of whose description all but one part was said, or nothing when several come near."""
    active = [problem for problem in problems if problem.status == "active"]
    lines = prose[:MOST_LINES]
    if not lines:
        return ()
    terms = key_terms(active)
    lines = [line._replace(text=respell(line.text, terms)) for line in lines]
    samples = _samples(active)
    said: dict[str, Line | None] = {}
    hints: dict[str, _Hint] = {}
    for problem, wording, parts in _described(active):
        hint = _hint(problem, wording, [(part, _first(part, lines, said)) for part in parts], samples)
        if hint and hint.told > (hints[problem.id].told if problem.id in hints else 0):
            hints[problem.id] = hint
    ranked = sorted(hints.values(), key=lambda hint: -hint.told)
    if not ranked or (len(ranked) > 1 and ranked[0].told - ranked[1].told < MARGIN):
        return ()
    return (ranked[0].match,)


def _described(problems: Iterable[Problem]) -> Iterator[tuple[Problem, Wording, Sequence[str]]]:
    for problem in problems:
        for wording in problem.wordings:
            is_gathered = wording.kind == "description" and wording.scope == "paste"
            if is_gathered and OUT_OF_MEMORY not in wording.pattern:  # what ran out is no part that may be missing
                parts = wording.pattern.split(PASTE_SEPARATOR)
                yield problem, wording, [part for part in parts if part not in UNSOUGHT]


def _first(part: str, lines: Sequence[Line], said: dict[str, Line | None]) -> Line | None:
    if part not in said:
        said[part] = next((line for line in lines if _is_said(part, line.text)), None)
    return said[part]


def _is_said(part: str, text: str) -> bool:
    found = search(part, text)
    return found is not None and not is_denied(text, found.start(), found[0])


def _hint(
    problem: Problem, wording: Wording, parts: Sequence[tuple[str, Line | None]], samples: Sequence[str]
) -> _Hint | None:
    missing = [part for part, line in parts if line is None]
    there = [line for _, line in parts if line is not None]
    if len(missing) > 1 or not there:
        return None
    told = sum(_tells(part, samples) for part, line in parts if line is not None)
    whole = told + sum(_tells(part, samples) for part in missing)
    if told < LEAST_TOLD or told < LEAST_SHARE * whole:
        return None
    match = Match(
        problem=problem, wording=wording, line=there[0], is_exact=False, similarity=round(100 * told / whole, 1)
    )
    return _Hint(match, told)


def _samples(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return what people say in the samples of all problems: what is said of many of them tells little."""
    return tuple(
        sample.text
        for problem in problems
        for sample in problem.samples
        for wording in problem.wordings
        if wording.id == sample.wording and wording.kind == "description"
    )


@lru_cache(maxsize=2048)
def _tells(part: str, samples: tuple[str, ...]) -> float:
    """Return how much a part tells: the rarer it is among the samples, the more."""
    met = sum(1 for sample in samples if search(part, sample))
    return log((1 + len(samples)) / (1 + met))
