"""Which of the problems in a paste it is: causes before consequences, the specific before the general."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.catalog.problem import Problem
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.search import LEAST_SURE, Hit
from bot.evidence import Evidence

_ROLES = {"cause": 0, "consequence": 1, "noise": 2, "foreign": 3}

LEAST_TELLING = 4
"""Weight of a message that says more than a person's words may: a bare exception does not."""

LEAST_SPECIFIC = 15
"""Weight of a message that is no echo of another failure, as that a container was started again."""


def rank(hits: Sequence[Hit], evidence: Evidence) -> tuple[Match, ...]:
    """Return one match a problem, the likeliest first."""
    best: dict[str, Hit] = {}
    for hit in hits:
        held = best.get(hit.problem.id)
        if held is None or _telling(hit, evidence) < _telling(held, evidence):
            best[hit.problem.id] = hit
    effects = _effects(tuple(best.values()))
    ordered = sorted(best.values(), key=lambda hit: (_role(hit), hit.problem.id in effects, *_telling(hit, evidence)))
    return tuple(
        Match(problem=hit.problem, wording=hit.wording, line=hit.line, is_exact=True, is_loose=hit.is_loose)
        for hit in ordered
    )


def independent(matches: Sequence[Match], problems: Mapping[str, Problem]) -> tuple[Match, ...]:
    """Return the matches behind the first that are problems of their own: no effect of it, and said in no general words."""
    if not matches:
        return ()
    explained = _reach(matches[0].problem, problems)
    return tuple(
        match
        for match in matches[1:]
        if match.is_exact
        and match.problem.role == "cause"
        and match.wording
        and match.wording.kind == "message"
        and match.wording.weight >= LEAST_SPECIFIC
        and match.problem.id not in explained
        and matches[0].problem.id not in _reach(match.problem, problems)
    )


def _reach(problem: Problem, problems: Mapping[str, Problem]) -> frozenset[str]:
    """Return what a problem outranks, and what that outranks."""
    reached, ahead = set[str](), [*problem.outranks]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += problems[name].outranks if name in problems else ()
    return frozenset(reached)


def _role(hit: Hit) -> int:
    return _ROLES[hit.problem.role]


def _effects(hits: Sequence[Hit]) -> frozenset[str]:
    """Return the problems that another one here names as its mere effects.

    What people say outranks no message, and what only looks like a problem none that is surer.
    """
    said = frozenset(hit.problem.id for hit in hits if hit.wording.kind == "description")
    weights = {hit.problem.id: hit.wording.weight for hit in hits}
    return frozenset(
        effect
        for hit in hits
        for effect in hit.problem.outranks
        if effect in said
        or (hit.wording.kind == "message" and (not hit.is_loose or weights.get(effect, 0) < LEAST_SURE))
    )


def _telling(hit: Hit, evidence: Evidence) -> tuple[bool, bool, bool, int, int, int]:
    """Return what orders hits of one role: telling messages first, of them root failures, then weight and place.

    Of people's words, those of one sentence come before what was gathered from several.
    """
    roots = {failure.line for failure in evidence.failures if not failure.is_wrapper}
    is_telling = hit.wording.kind == "message" and hit.wording.weight >= LEAST_TELLING
    return (
        not is_telling,
        is_telling and bool(roots) and hit.line.number not in roots,
        not hit.is_whole and hit.wording.kind == "description",
        -hit.wording.weight,
        -hit.problem.specificity,
        hit.line.number,
    )
