"""A diagnosis as one JSON object, for programs."""

from __future__ import annotations

from typing import Any

from packaging.version import Version
from pydantic import BaseModel

from bot.deployment import Deployment
from bot.diagnosis.verdict import Diagnosis, Prescription, Question
from bot.evidence import Evidence
from bot.facts import FACTS
from bot.sizing.terms import Budget
from bot.units import Bytes

_HIDDEN = frozenset({"environment", "other_arguments", "command", "wrappers", "manifest", "shape", "card"})


def answer(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return the machine-readable answer: verdict, facts, readings, logged figures, budget, fixes, questions."""
    return {
        **_verdict(diagnosis),
        "facts": facts(diagnosis.deployment),
        **readings(diagnosis.evidence),
        "logged": logged(diagnosis.evidence),
        "budget": budget(diagnosis.budget) if diagnosis.budget else None,
        "refusals": [refusal._asdict() for refusal in diagnosis.refusals],
        "fixes": [fix(item) for item in diagnosis.prescriptions],
        "questions": [question(item) for item in diagnosis.questions],
        "contradictions": [each.text for each in diagnosis.contradictions],
        "remarks": list(diagnosis.remarks),
        "confidence": diagnosis.confidence,
        "fingerprint": diagnosis.fingerprint,
    }


def _verdict(diagnosis: Diagnosis) -> dict[str, Any]:
    problem, cause = diagnosis.problem, diagnosis.cause
    return {
        "problem": problem.id if problem else None,
        "role": problem.role if problem else None,
        "match": diagnosis.match,
        "also": list(diagnosis.also),
        "cause": cause.cause.id if cause and cause.verdict == "stands" else None,
        "causes": [
            {"id": c.cause.id, "verdict": c.verdict, "because": c.because, "waits_for": list(c.waits_for)}
            for c in diagnosis.causes
        ],
    }


def facts(deployment: Deployment) -> dict[str, Any]:
    """Return the known facts of a deployment under their names; memory in GiB."""
    named: dict[str, Any] = {}
    for name in type(deployment).model_fields:
        value = getattr(deployment, name)
        if value is not None and name not in _HIDDEN:
            named[f"{name}_gib" if isinstance(value, Bytes) else name] = _plain(value)
    return named


def readings(evidence: Evidence) -> dict[str, Any]:
    """Return what monitoring tools printed about GPUs, MIG devices and processes."""
    return {
        "gpus": [gpu.model_dump(exclude={"line"}) for gpu in evidence.gpus],
        "mig_devices": [device.model_dump(exclude={"line"}) for device in evidence.mig_devices],
        "processes": [process.model_dump(exclude={"line"}) for process in evidence.processes],
        "driver": evidence.driver,
        "cuda": evidence.cuda,
    }


def logged(evidence: Evidence) -> dict[str, Any]:
    """Return the figures that vLLM or torch printed; memory in GiB."""
    figures = {name: fact.value for name, fact in evidence.facts.items() if FACTS[name].is_logged}
    return {f"{name}_gib" if isinstance(v, Bytes) else name: _plain(v) for name, v in figures.items()}


def budget(sized: Budget) -> dict[str, Any]:
    """Return a budget with its terms and ranges; memory in GiB, for the tightest GPU."""
    weights = sized.term("weights")
    return {
        "era": sized.era,
        "total_gib": _gib(sized.total),
        "allowance_gib": _gib(sized.allowance),
        "terms": [
            {
                "name": term.name, "gib": _gib(term.amount), "low_gib": _gib(term.low), "high_gib": _gib(term.high),
                "measured": term.measured, "inside": term.inside, "formula": term.formula, "source": term.source,
            }
            for term in sized.terms
        ],
        "weights_gib": _gib(weights.amount) if weights else None,
        **_kv(sized),
        "longest_context": sized.longest_context,
        "fits": sized.fits,
        "within_margin": sized.is_within_margin,
        "failed_check": sized.failed_check._asdict() if sized.failed_check else None,
        "assumptions": [item._asdict() for item in sized.assumptions],
        "warnings": list(sized.warnings),
    }  # fmt: skip


def _kv(sized: Budget) -> dict[str, Any]:
    return {
        "kv_available_gib": _gib(sized.kv_available),
        "kv_low_gib": _gib(sized.kv_low),
        "kv_high_gib": _gib(sized.kv_high),
        "kv_bytes_per_token": sized.kv_bytes_per_token,
        "kv_tokens": sized.kv_tokens,
        "kv_tokens_low": sized.kv_tokens_low,
        "kv_tokens_high": sized.kv_tokens_high,
        "kv_needed_gib": _gib(sized.kv_needed),
        "block_size": sized.block_size,
        "blocks": sized.blocks,
        "concurrency": round(sized.concurrency, 4),
    }


def fix(item: Prescription) -> dict[str, Any]:
    """Return one prescription: what it sets, its command, and what it gives."""
    sized = item.budget
    return {
        "id": item.fix.id,
        "title": item.title,
        "command": item.command,
        "set": {name: _plain(value) for name, value in item.patch.items()},
        "steps": [{"run": run, "read": read, "risk": risk} for run, read, risk in item.steps],
        "fits": sized.fits if sized else None,
        "kv_tokens": sized.kv_tokens if sized else None,
        "concurrency": round(sized.concurrency, 4) if sized else None,
        "costs": item.costs,
        "risk": item.risk,
    }


def question(item: Question) -> dict[str, Any]:
    """Return one question with its choices."""
    return {
        "fact": item.name, "text": item.text, "choices": list(item.choices), "guess": item.guess,
        "why": item.why, "how_to_find_out": item.how_to_find_out,
    }  # fmt: skip


def _gib(amount: Bytes) -> float:
    return round(amount.in_gib, 4)


def _plain(value: Any) -> Any:
    if isinstance(value, Bytes):
        return _gib(value)
    if isinstance(value, Version):
        return str(value)
    return value.model_dump(mode="json", exclude={"shape"}) if isinstance(value, BaseModel) else value
