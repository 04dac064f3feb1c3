"""Which fixes help: each is applied to the deployment, sized again, and kept only if the result starts and exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.catalog.flags import Flags
from bot.catalog.problem import Fix, Problem
from bot.diagnosis.fixes.assumed import spelt_out, without_absent
from bot.diagnosis.fixes.together import joined_fixes
from bot.diagnosis.fixes.trials import Bench, Trial, try_fix
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import CauseVerdict, Prescription, Rejected

LAST_RESORT = 70
"""Rank from which a fix costs more than further GPUs do."""


class Prescribed(NamedTuple):
    """What helps, and what was tried in vain."""

    prescriptions: tuple[Prescription, ...] = ()
    rejected: tuple[Rejected, ...] = ()


def prescribe(
    problem: Problem,
    causes: Sequence[CauseVerdict],
    situation: Situation,
    flags: Flags,
    problems: Mapping[str, Problem],
) -> Prescribed:
    """Return the fixes that fit, ordered by what they cost, and those that do not with what they would give.

    Args:
        problem: What is to be solved.
        causes: Its causes, judged.
        situation: The case, sized.
        flags: The flags of every version.
        problems: Every problem by its id.
    """
    possible = spelt_out(without_absent(situation.deployment, flags))
    bench = Bench(replace(situation, deployment=possible), problem, flags)
    trials = [trial for fix in _offered(problem, causes) if (trial := try_fix(fix, bench))]
    if _is_open(problem, causes):
        trials = [trial for trial in trials if trial.fix.set]
    kept = [trial.prescription for trial in trials if trial.prescription]
    failed = [trial for trial in trials if trial.rejected]
    for item in _cheaper(kept, failed, bench, problems):
        kept.insert(next((place for place, one in enumerate(kept) if _costs_more(one, item)), len(kept)), item)
    return Prescribed(_fewest_first(_unlike(kept), bench), tuple(trial.rejected for trial in failed if trial.rejected))


def without_risk(prescribed: Prescribed) -> Prescribed:
    """Return what may be offered where the problem is only likely: nothing that could do harm."""
    safe = (
        item for item in prescribed.prescriptions if item.risk is None and not any(risk for _, _, risk in item.steps)
    )
    return Prescribed(tuple(safe), prescribed.rejected)


def without_sized(prescribed: Prescribed) -> Prescribed:
    """Return what may be offered where the budget contradicts the failure: no change that it cannot show to help."""
    return Prescribed(tuple(item for item in prescribed.prescriptions if item.budget is None))


def _offered(problem: Problem, causes: Sequence[CauseVerdict]) -> list[Fix]:
    """Return the fixes of the causes that stand, in their order; without such a cause those of the causes that wait."""
    standing = [verdict for verdict in causes if verdict.verdict == "stands"]
    named = _fixes_of(standing) or _fixes_of(verdict for verdict in causes if verdict.verdict == "waits")
    fixes = [fix for fix in problem.fixes if fix.id in named] if named else list(problem.fixes)
    first = {name: place for place, name in enumerate(named)}
    lead = len(_fixes_of(standing[:1]))
    return sorted(fixes, key=lambda fix: (first.get(fix.id, 0) >= lead > 0, fix.rank))


def _is_open(problem: Problem, causes: Sequence[CauseVerdict]) -> bool:
    """Return whether a question must be answered before anything but a sized change may be advised."""
    verdicts = {verdict.verdict for verdict in causes}
    is_sized = any(fix.set and fix.is_checked_by_sizing for fix in problem.fixes)
    return is_sized and "waits" in verdicts and "stands" not in verdicts


def _fixes_of(causes: Iterable[CauseVerdict]) -> list[str]:
    return list(dict.fromkeys(name for verdict in causes for name in verdict.cause.fixes))


def _cheaper(
    kept: Sequence[Prescription], failed: Sequence[Trial], bench: Bench, problems: Mapping[str, Problem]
) -> list[Prescription]:
    """Return two fixes that fit together, where none alone does on the GPUs at hand and theirs are fewer."""
    fewest = min((_taken(item) for item in kept if item.budget), default=None)
    if not failed or (fewest is not None and fewest <= _at_hand(bench)):
        return []
    if fewest is None:
        found = joined_fixes(failed, bench, problems)
    else:
        usual = [trial for trial in failed if trial.fix.rank < LAST_RESORT]
        found = (item for item in joined_fixes(usual, bench, problems, 1) if _taken(item) < fewest)
    return [item for item in (next(found, None),) if item]


def _costs_more(one: Prescription, item: Prescription) -> bool:
    return one.fix.rank > item.fix.rank or (one.budget is not None and _taken(one) > _taken(item))


def _taken(item: Prescription) -> int:
    return item.deployment.gpus_taken if item.deployment else 1


def _at_hand(bench: Bench) -> int:
    deployment = bench.situation.deployment
    return max(deployment.gpu_count or 1, deployment.gpus_taken)


def _unlike(kept: Iterable[Prescription]) -> list[Prescription]:
    """Return the fixes without those that lead to the same deployment as an earlier one."""
    found: list[Prescription] = []
    for item in kept:
        if item.budget is None or not any(_is_same(item, other) for other in found):
            found.append(item)
    return found


def _is_same(item: Prescription, other: Prescription) -> bool:
    if item.budget is None or other.budget is None:
        return False
    return item.command == other.command or item.budget.deployment == other.budget.deployment


def _fewest_first(kept: Sequence[Prescription], bench: Bench) -> tuple[Prescription, ...]:
    """Return the fixes in their order; of those that need more GPUs than there are, the fewest GPUs come first."""
    most = _at_hand(bench)
    beyond = iter(sorted((item for item in kept if _taken(item) > most), key=_taken))
    return tuple(next(beyond) if _taken(item) > most else item for item in kept)
