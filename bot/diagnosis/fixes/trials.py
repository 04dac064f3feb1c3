"""One fix on trial: applied, held against what vLLM refuses, sized again, and judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.catalog.flags import Flags
from bot.catalog.problem import Fix, Problem
from bot.catalog.versions import Versions
from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import resize
from bot.diagnosis.causes import say, show
from bot.diagnosis.conditions import weigh
from bot.diagnosis.fixes.command import command_line
from bot.diagnosis.fixes.patches import Patch, patch_of
from bot.diagnosis.fixes.spelling import can_be_said
from bot.diagnosis.fixes.steps import fill_in_steps
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import Prescription, Rejected
from bot.facts import FACTS
from bot.sizing.checks.refusals import refuse
from bot.sizing.terms import Budget, Refusal
from bot.sizing.version_prior import likely_version


class Bench(NamedTuple):
    """What fixes are tried on: a case, the problem that they shall solve, and the flags of every version."""

    situation: Situation
    problem: Problem
    flags: Flags

    @property
    def has_run(self) -> bool:
        """Whether the engine had started before it failed, so that a budget in which it does not is wrong."""
        return self.problem.stage in {"serving", "request"}


class Trial(NamedTuple):
    """One fix after it was tried."""

    fix: Fix
    prescription: Prescription | None = None
    rejected: Rejected | None = None
    patch: Patch | None = None
    next_problem: str | None = None  # what the patched deployment would run into


def try_fix(fix: Fix, bench: Bench) -> Trial | None:
    """Return what became of a fix; None when it has no place here."""
    situation = bench.situation
    if not _is_of_version(fix.versions, situation.deployment) or weigh(fix.when, situation).truth is False:
        return None
    if not fix.set and not fix.unset:
        return Trial(fix, _steps_only(fix, situation))
    return _try_patch(fix, bench)


def _try_patch(fix: Fix, bench: Bench) -> Trial | None:
    """Return what became of a fix that changes the deployment; None when it changes nothing or cannot be said."""
    patch = patch_of(fix, bench.situation)
    if patch is None or not all(can_be_said(patch.after, bench.flags, name) for name in patch.values):
        return None
    return _judge(fix, patch, bench)


def _is_of_version(versions: Versions, deployment: Deployment) -> bool:
    """Return whether a fix is one of the stated version, or of those that the log's wording allows; else of the latest."""
    since, until = deployment.version_since, deployment.version_until
    if deployment.vllm_version is None and (since or until) and not (since and until and since > until):
        return versions.shared_with(Versions(since=since, until=until)) is not None
    return versions.include(likely(deployment).vllm_version) is not False


def likely(deployment: Deployment) -> Deployment:
    """Return the deployment with the version that sizing would assume where none is stated."""
    return deployment if deployment.vllm_version else deployment.with_(vllm_version=likely_version(deployment)[0])


def _judge(fix: Fix, patch: Patch, bench: Bench) -> Trial | None:
    wanted, length = bench.situation.fact("longest_request"), patch.values.get("max_model_len")
    sized = resize(bench.situation, patch.after)
    title = _title_of(fix, sized, patch.used)
    if wanted and length and length < wanted:
        because = f"you serve requests of {show(wanted)} tokens"
        return Trial(fix, rejected=Rejected(title=title, because=because, lacks="context"), patch=patch)
    refusal = next(iter(_refusals(patch, bench)), None)
    if refusal is not None:
        rejected = Rejected(title=title, because=refusal.message)
        return Trial(fix, rejected=rejected, patch=patch, next_problem=refusal.problem)
    if sized.budget is None:
        is_known = patch.is_logged or not fix.is_checked_by_sizing
        return Trial(fix, _prescription(fix, patch, sized, bench)) if is_known else None
    if sized.budget.fits or (bench.has_run and not fix.is_checked_by_sizing):
        return Trial(fix, _prescription(fix, patch, sized, bench), patch=patch)
    failed = sized.budget.failed_check
    rejected = _too_little(title, sized.budget)
    return Trial(fix, rejected=rejected, patch=patch, next_problem=failed.problem if failed else None)


def _refusals(patch: Patch, bench: Bench) -> tuple[Refusal, ...]:
    """Return why vLLM would refuse the patched deployment; what it must have taken, since it failed later, is no reason."""
    before = likely(bench.situation.deployment)
    refusals, standing = refuse(patch.after.with_(vllm_version=before.vllm_version)), refuse(before)
    is_refused = any(refusal.problem == bench.problem.id for refusal in standing)
    if is_refused or not bench.situation.hits:
        return refusals
    taken = {refusal.message for refusal in standing}
    return tuple(refusal for refusal in refusals if refusal.message not in taken)


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


def _title_of(fix: Fix, situation: Situation, used: Mapping[str, Any]) -> str:
    """Return the title of a fix with its figures; without them what stands before the first of them."""
    return say(fix.title, situation, used) or fix.title[-1].split("{", maxsplit=1)[0].rstrip(" ,:(")


def _prescription(fix: Fix, patch: Patch, sized: Situation, bench: Bench) -> Prescription:
    return Prescription(
        fix=fix,
        title=_title_of(fix, sized, patch.used),
        patch={**dict.fromkeys(fix.unset), **patch.values},
        deployment=patch.after,
        command=command_line(patch.after, bench.flags, _changed(patch, bench.situation.deployment)),
        budget=sized.budget if sized.budget and sized.budget.fits else None,
        steps=fill_in_steps(fix, sized),
        costs=" ".join(filter(None, (say(fix.costs, sized, patch.used), _release_needed(fix.versions, patch.after)))),
        risk=fix.risk,
    )


def _release_needed(versions: Versions, deployment: Deployment) -> str:
    """Say what release a fix needs, where nobody stated one and the likeliest does not have it."""
    if deployment.vllm_version is not None or versions.include(likely(deployment).vllm_version) is not False:
        return ""
    return f"Needs vLLM {versions.since} or later." if versions.since else f"Up to vLLM {versions.until} only."


def _changed(patch: Patch, before: Deployment) -> list[str]:
    """Return the facts that a command must say otherwise than before, those that it must leave out among them."""
    settings = (name for name in FACTS if name in Deployment.model_fields)
    return [name for name in settings if name in patch.values or getattr(before, name) != getattr(patch.after, name)]


def _steps_only(fix: Fix, situation: Situation) -> Prescription:
    return Prescription(
        fix=fix,
        title=_title_of(fix, situation, {}),
        patch={},
        steps=fill_in_steps(fix, situation),
        costs=say(fix.costs, situation),
        risk=fix.risk,
    )
