"""One case as a row: what broke, on what, what would fix it, what it cost; the digest reads nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from bot.case import Case, State, Thread
from bot.deployment import Deployment
from bot.diagnosis.amounts.processes import IDLE
from bot.diagnosis.fixes.telling import bare
from bot.diagnosis.verdict import Diagnosis, Prescription
from bot.diagnosis.wordings.fingerprint import normalise, telling_failure
from bot.frozen import Frozen
from bot.sizing.terms import Budget
from bot.units import Bytes

# Too long for a row, or found again in the catalogue by the model's and the card's name.
_NOT_KEPT = {"shape", "card", "speculation", "environment", "other_arguments", "command", "wrappers", "manifest"}
_LONGEST_ERROR = 300


class Incident(Frozen):
    """One case as the digest counts it."""

    thread: Thread
    team: str | None = None  # who owns it; None: the journal looks who owns the channel
    state: State = "open"
    opened_at: datetime
    updated_at: datetime | None = None  # when a person last said or did something in it
    answered_at: datetime | None = None  # our first answer
    resolved_at: datetime | None = None
    reopened: int = 0  # times
    opener: str | None = None
    resolver: str | None = None
    problem: str | None = None
    title: str | None = None
    cause: str | None = None
    fingerprint: str | None = None
    error: str | None = None  # of a problem that nobody knows yet, without what differs from case to case
    model: str | None = None
    gpu: str | None = None
    gpu_count: int | None = None
    vllm_version: str | None = None
    era: str | None = None
    confidence: str = "low"
    fix: str | None = None
    patch: dict[str, Any] | None = None  # what the first fix that fits sets
    pasted: dict[str, Any] | None = None  # the deployment's facts
    fixed: dict[str, Any] | None = None  # and with the fix
    before: dict[str, Any] | None = None  # the budget's figures
    after: dict[str, Any] | None = None
    context_lost: int | None = None  # bytes of KV cache
    idle_memory: int | None = None  # bytes
    helpful: bool | None = None


class Counted(NamedTuple):
    """As much of an incident as it is counted by."""

    channel: str
    team: str | None = None
    problem: str | None = None
    title: str | None = None
    cause: str | None = None
    model: str | None = None
    gpu: str | None = None
    vllm_version: str | None = None


def counted(row: Incident) -> Counted:
    """Return what an incident is counted by."""
    return Counted(
        row.thread.channel, row.team, row.problem, row.title, row.cause, row.model, row.gpu, row.vllm_version
    )


def incident(thread: Thread, case: Case, diagnosis: Diagnosis) -> Incident | None:
    """Return the row of a case, or None while nobody has said anything in it."""
    if case.opened_at is None:
        return None
    return Incident(
        thread=thread,
        team=case.team,
        **{name: getattr(case, name) for name in _OF_THE_CASE},
        helpful=_is_helpful(case.feedback),
        confidence=diagnosis.confidence,
        fingerprint=diagnosis.fingerprint,
        **_what(diagnosis),
        **_where(diagnosis),
        **_how_to_fix(case, diagnosis),
        idle_memory=idle_memory(diagnosis),
    )


_OF_THE_CASE = (
    "state", "opened_at", "updated_at", "answered_at", "resolved_at", "reopened", "opener", "resolver", "fix",
)  # fmt: skip


def _is_helpful(feedback: Mapping[str, str]) -> bool | None:
    voices = [voice.startswith("helpful") for voice in feedback.values()]
    return None if not voices else 2 * sum(voices) > len(voices)


def _what(diagnosis: Diagnosis) -> dict[str, Any]:
    problem, failure = diagnosis.problem, telling_failure(diagnosis.evidence.failures)
    return {
        "problem": problem.id if problem else None,
        "title": bare(problem.title) if problem else None,
        "cause": diagnosis.cause.cause.id if diagnosis.cause else None,
        "error": normalise(failure.message)[:_LONGEST_ERROR] if failure and not problem else None,
    }


def _where(diagnosis: Diagnosis) -> dict[str, Any]:
    deployment, budget = diagnosis.deployment, diagnosis.budget
    return {
        "model": deployment.model,
        "gpu": deployment.card.name if deployment.card else deployment.gpu,  # one name a card, however it was called
        "gpu_count": deployment.gpu_count,
        "vllm_version": str(deployment.vllm_version) if deployment.vllm_version else None,
        "era": budget.era.split(" ", 1)[0] if budget and deployment.vllm_version else None,
        "pasted": _facts(deployment),
        "before": _figures(budget),
    }


def _how_to_fix(case: Case, diagnosis: Diagnosis) -> dict[str, Any]:
    chosen = _prescription(case, diagnosis)
    if chosen is None:
        return {}
    return {
        "patch": chosen.patch or None,
        "fixed": _facts(chosen.deployment) if chosen.deployment else None,
        "after": _figures(chosen.budget),
        "context_lost": _context_lost(diagnosis.budget, chosen),
    }


def _prescription(case: Case, diagnosis: Diagnosis) -> Prescription | None:
    """Return the fix that worked where somebody said so, else the first that changes the deployment."""
    said = [fix for fix in diagnosis.prescriptions if case.fix and fix.fix.id == case.fix]
    changing = [fix for fix in diagnosis.prescriptions if fix.patch]
    return next(iter([*said, *changing]), None)


def _facts(deployment: Deployment) -> dict[str, Any] | None:
    return deployment.model_dump(mode="json", exclude_none=True, exclude_defaults=True, exclude=_NOT_KEPT) or None


def _figures(budget: Budget | None) -> dict[str, Any] | None:
    if budget is None:
        return None
    return {
        "allowance_gib": round(budget.allowance.in_gib, 3),
        "kv_available_gib": round(budget.kv_available.in_gib, 3),
        "kv_tokens": budget.kv_tokens,
        "concurrency": round(budget.concurrency, 3),
        "longest_context": budget.longest_context,
        "fits": budget.fits,
    }


def _context_lost(budget: Budget | None, chosen: Prescription) -> int | None:
    """Return the KV cache that a request of the configured length needs, less what one of the offered length does.

    Bytes, on all GPUs that share a replica: a context set longer than what is served reserves it for nobody.
    """
    if budget is None or chosen.budget is None or set(chosen.patch) != {"max_model_len"}:
        return None
    saved = int(budget.kv_needed - chosen.budget.kv_needed)
    return max(0, saved * budget.deployment.gpus_of_a_replica) or None


def idle_memory(diagnosis: Diagnosis) -> int | None:
    """Return the memory, in bytes, of GPUs that the deployment leaves unused, or None where that cannot be told.

    They are counted from `nvidia-smi` where one card works and others hold nothing; else from a launch command that
    says how many it takes, where the machine's count is known.
    """
    readings = [gpu for gpu in diagnosis.evidence.gpus if gpu.memory_used_mib is not None and gpu.memory_total_mib]
    idle = [gpu for gpu in readings if Bytes.mib(gpu.memory_used_mib or 0) < IDLE]
    if readings:
        total = sum((gpu.memory_total_mib or 0) * 2**20 for gpu in idle)
        return int(total) if 0 < len(idle) < len(readings) else None
    return _unused(diagnosis.deployment)


def _unused(deployment: Deployment) -> int | None:
    layout = (deployment.tensor_parallel, deployment.pipeline_parallel, deployment.data_parallel)
    memory = deployment.card.memory if deployment.card else None
    if deployment.gpu_count is None or memory is None or (not any(layout) and not deployment.command):
        return None
    return max(0, deployment.gpu_count - deployment.gpus_taken) * int(memory) or None
