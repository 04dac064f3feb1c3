"""Which fixes help: each is applied to the deployment, sized again, and kept only if the result fits and exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bot.catalog.flags import Flags
from bot.catalog.problem import Fix, Problem
from bot.diagnosis.amounts.processes import other_process_pids, stale_process_pids
from bot.diagnosis.amounts.sizings import resize
from bot.diagnosis.causes import say, show
from bot.diagnosis.conditions import weigh
from bot.diagnosis.fixes.command import can_be_said, command_line
from bot.diagnosis.fixes.patches import Patch, patch_of
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import CauseVerdict, Prescription, Rejected
from bot.sizing.checks.refusals import refuse
from bot.sizing.terms import Budget

# Where a command of the knowledge names the model: to serve, to read from the hub.
_MODEL = re.compile(r"(?:(?<=serve )|(?<=--model )|(?<=hf download )|(?<=huggingface\.co/))(?:ORG/)?MODEL\b")
_PID = re.compile(r"\bPID\b")

MOST_PAIRED = 6
"""Fixes that are tried in pairs when none is enough alone: 15 sizings at most."""


@dataclass(frozen=True, slots=True)
class Prescribed:
    """What helps, and what was tried in vain."""

    prescriptions: tuple[Prescription, ...] = ()
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class _Trial:
    """One fix after it was tried."""

    fix: Fix
    prescription: Prescription | None = None
    rejected: Rejected | None = None
    patch: Patch | None = None


def prescribe(problem: Problem, causes: Sequence[CauseVerdict], situation: Situation, flags: Flags) -> Prescribed:
    """Return the fixes that fit, ordered by what they cost, and those that do not with what they would give."""
    trials = [trial for fix in _offered(problem, causes) if (trial := _try(fix, situation, flags))]
    if _is_open(problem, causes):
        trials = [trial for trial in trials if trial.fix.set]
    kept = [trial.prescription for trial in trials if trial.prescription]
    failed = [trial for trial in trials if trial.rejected]
    if failed and not any(prescription.budget for prescription in kept):
        pair = next(_pairs(failed, situation, flags), None)
        kept = [*kept, pair] if pair else kept
    return Prescribed(tuple(kept), tuple(trial.rejected for trial in failed if trial.rejected))


def without_risk(prescribed: Prescribed) -> Prescribed:
    """Return what may be offered where the problem is only likely: nothing that could do harm."""
    safe = (
        item for item in prescribed.prescriptions if item.risk is None and not any(risk for _, _, risk in item.steps)
    )
    return Prescribed(tuple(safe), prescribed.rejected)


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


def _try(fix: Fix, situation: Situation, flags: Flags) -> _Trial | None:
    """Return what became of a fix; None when it has no place here."""
    if fix.versions.include(situation.deployment.vllm_version) is False:
        return None
    if weigh(fix.when, situation).truth is False:
        return None
    if not fix.set and not fix.unset:
        return _Trial(fix, _steps_only(fix, situation))
    patch = patch_of(fix, situation)
    if patch is None or not all(can_be_said(patch.after, flags, name) for name in patch.values):
        return None
    return _judge(fix, patch, situation, flags)


def _judge(fix: Fix, patch: Patch, situation: Situation, flags: Flags) -> _Trial | None:
    title = _title(fix, situation, patch.used)
    wanted, length = situation.fact("longest_request"), patch.values.get("max_model_len")
    if wanted and length and length < wanted:
        because = f"you serve requests of {show(wanted)} tokens"
        return _Trial(fix, rejected=Rejected(title=title, because=because, lacks="context"), patch=patch)
    refusals = [refusal for refusal in refuse(patch.after) if refusal.name in patch.values]
    if refusals:
        return _Trial(fix, rejected=Rejected(title=title, because=refusals[0].message), patch=patch)
    if not fix.is_checked_by_sizing:
        return _Trial(fix, _prescription(fix, patch, situation, flags))
    sized = resize(situation, patch.after)
    if sized.budget is None:
        return _Trial(fix, _prescription(fix, patch, situation, flags)) if patch.is_logged else None
    if sized.budget.fits:
        return _Trial(fix, _prescription(fix, patch, sized, flags))
    return _Trial(fix, rejected=_too_little(title, sized.budget), patch=patch)


def _too_little(title: str, budget: Budget) -> Rejected:
    """Return what a fix would give, where it is not enough."""
    length, lacks = budget.deployment.max_model_len or 0, None
    if budget.kv_available <= 0:
        because = f"not enough: {show(-budget.kv_available)} would still be missing before the KV cache"
    elif budget.kv_tokens < length:
        because, lacks = f"not enough alone: {show(budget.kv_tokens)} tokens, {show(length)} are needed", "tokens"
    else:
        because = budget.failed_check.message if budget.failed_check else "does not fit"
    return Rejected(title=title, because=because, budget=budget, lacks=lacks)


def _pairs(failed: Sequence[_Trial], situation: Situation, flags: Flags) -> Iterator[Prescription]:
    """Yield pairs of fixes that fit together, the cheapest first."""
    tried = sorted((trial for trial in failed if trial.patch), key=lambda trial: trial.fix.rank)[:MOST_PAIRED]
    couples = sorted(combinations(tried, 2), key=lambda couple: couple[0].fix.rank + couple[1].fix.rank)
    for one, other in couples:
        joined = _joined(one.fix, other.fix)
        patch = patch_of(joined, situation) if joined else None
        trial = _judge(joined, patch, situation, flags) if joined and patch else None
        if trial and trial.prescription:
            yield trial.prescription


def _joined(one: Fix, other: Fix) -> Fix | None:
    """Return two fixes as one; None when both set the same fact."""
    if one.set.keys() & other.set.keys():
        return None
    return Fix(
        id=f"{one.id}-and-{other.id}"[:60].rstrip("-"),
        title=tuple(
            f"{first}, and {second[:1].lower()}{second[1:]}"
            for first, second in zip(one.title, other.title, strict=False)
        ),
        set={**one.set, **other.set},
        unset=(*one.unset, *other.unset),
        costs=tuple(f"{first} {second}" for first, second in zip(one.costs, other.costs, strict=False)),
        risk=one.risk or other.risk,
        rank=min(one.rank + other.rank, 100),
    )


def _title(fix: Fix, situation: Situation, used: Mapping[str, Any]) -> str:
    return say(fix.title, situation, used) or fix.title[-1].split("{", maxsplit=1)[0].rstrip(" ,:(")


def _prescription(fix: Fix, patch: Patch, sized: Situation, flags: Flags) -> Prescription:
    return Prescription(
        fix=fix,
        title=_title(fix, sized, patch.used),
        patch=dict(patch.values),
        deployment=patch.after,
        command=command_line(patch.after, flags, patch.values),
        budget=sized.budget if fix.is_checked_by_sizing else None,
        steps=_steps(fix, sized),
        costs=say(fix.costs, sized, patch.used),
        risk=fix.risk,
    )


def _steps_only(fix: Fix, situation: Situation) -> Prescription:
    return Prescription(
        fix=fix,
        title=_title(fix, situation, {}),
        patch={},
        steps=_steps(fix, situation),
        costs=say(fix.costs, situation),
        risk=fix.risk,
    )


def _steps(fix: Fix, situation: Situation) -> tuple[tuple[str, str, str | None], ...]:
    """Return the steps of a fix, ready to copy; one whose figures are unknown is left out where others remain."""
    filled = [(fill_in(step.run, situation), step) for step in fix.steps]
    known = [(run, step) for run, step in filled if run] or [(step.run, step) for step in fix.steps]
    return tuple((run, say(step.read, situation), step.risk) for run, step in known)


def fill_in(run: str, situation: Situation) -> str:
    """Return a command with its amounts, the model and the one PID in question; nothing when an amount is unknown."""
    said = say((run,), situation)
    model = situation.deployment.model
    if model:
        said = _MODEL.sub(lambda _: shlex.quote(model), said)
    pids = stale_process_pids(situation) or other_process_pids(situation) or ()
    return _PID.sub(str(pids[0]), said) if len(pids) == 1 else said
