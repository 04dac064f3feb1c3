"""Fixes that help only together: two that fall short alone, or one with what cures the failure that it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from bot.catalog.problem import Condition, Fix, Problem
from bot.diagnosis.fixes.trials import Bench, Trial, try_fix
from bot.diagnosis.verdict import Prescription

MOST_JOINED = 6
"""Fixes that are tried with others when none is enough alone."""

MOST_CURES = 3
"""Failures that are cured in turn where nothing else helps."""


def joined_fixes(
    failed: Sequence[Trial], bench: Bench, problems: Mapping[str, Problem], most_cures: int = MOST_CURES
) -> Iterator[Prescription]:
    """Yield what fits of fixes together, the fewest and cheapest first.

    Args:
        failed: Fixes that were tried alone.
        bench: What they were tried on.
        problems: Every problem by its id; the one that a fix leads to has fixes of its own.
        most_cures: Failures, one behind the other, that are cured in turn.
    """
    tried = sorted((trial for trial in failed if trial.patch), key=lambda trial: trial.fix.rank)[:MOST_JOINED]
    couples = [(one, other.fix) for one, other in combinations(tried, 2)]
    for _ in range(most_cures):
        couples += [(trial, cure) for trial in tried for cure in _cures(trial, problems)]
        further: list[Trial] = []
        for one, other in sorted(couples, key=lambda couple: couple[0].fix.rank + couple[1].rank):
            joined = _joined(one.fix, other)
            trial = try_fix(joined, bench) if joined else None
            if trial and trial.prescription:
                yield trial.prescription
            elif trial and trial.next_problem not in {None, one.next_problem}:
                further.append(trial)
        tried, couples = further[:MOST_JOINED], []


def _cures(trial: Trial, problems: Mapping[str, Problem]) -> Sequence[Fix]:
    """Return the changes that may cure what a fix leads to."""
    problem = problems.get(trial.next_problem or "")
    return [fix for fix in problem.fixes if fix.set or fix.unset] if problem else ()


def _joined(one: Fix, other: Fix) -> Fix | None:
    """Return two fixes as one; None when both change the same fact, or no version has both."""
    versions = one.versions.shared_with(other.versions)
    if versions is None or {*one.set, *one.unset} & {*other.set, *other.unset}:
        return None
    return Fix(
        id=f"{one.id}-and-{other.id}"[:60].rstrip("-"),
        title=tuple(f"{first}, and {_inner(second)}" for first, second in zip(one.title, other.title, strict=False)),
        set={**one.set, **other.set},
        unset=(*one.unset, *other.unset),
        when=Condition(all=(one.when, other.when)),
        versions=versions,
        costs=tuple(f"{first} {second}" for first, second in zip(one.costs, other.costs, strict=False)),
        risk=one.risk or other.risk,
        rank=min(one.rank + other.rank, 100),
    )


def _inner(title: str) -> str:
    """Return a title as it stands within another: "Or in 4 pipeline stages" becomes "in 4 pipeline stages"."""
    plain = title.removeprefix("Or ")
    return plain[:1].lower() + plain[1:]
