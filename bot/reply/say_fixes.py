"""Fixes as a person reads them: what to do, the command to copy, what it gives and what it costs."""

from __future__ import annotations

from bot.diagnosis.verdict import Diagnosis, Prescription, Rejected
from bot.reply.document import Bullets, Command, Part, Prose, Span
from bot.reply.words import requests, tokens
from bot.sizing.terms import Budget


def say_fixes(diagnosis: Diagnosis, most: int = 3) -> list[Part]:
    """Say the best fixes; what was tried and does not help stands in one line each below them."""
    parts: list[Part] = []
    for prescription in diagnosis.prescriptions[:most]:
        parts += say_fix(prescription)
    if diagnosis.rejected:
        parts.append(Bullets(items=tuple(_rejected(item) for item in diagnosis.rejected[:3])))
    return parts


def say_fix(prescription: Prescription) -> list[Part]:
    """Say one fix: its command where it changes the deployment, its steps where it does not."""
    if prescription.command:
        return [
            Command(
                title=prescription.title,
                text=prescription.command,
                gives=say_gain(prescription.budget) if prescription.budget else "",
                costs=prescription.costs,
                risk=prescription.risk or "",
            )
        ]
    if not prescription.steps:
        return [Prose(spans=(Span(text=prescription.title, style="bold"), Span(text=_after(prescription.costs))))]
    first, *rest = prescription.steps
    said: list[Part] = [_step(prescription.title, first, prescription)]
    said += [_step("", step, None) for step in rest]
    return said


def say_gain(budget: Budget) -> str:
    """Say what a sized deployment holds."""
    length = budget.deployment.max_model_len
    if budget.kv_tokens <= 0 or not length:
        return ""
    held = f"{requests(budget.concurrency)} requests of {tokens(length)} tokens ({tokens(budget.kv_tokens)} in all)"
    return f"{held}, within the margin of error" if budget.is_within_margin else held


def _step(title: str, step: tuple[str, str, str | None], prescription: Prescription | None) -> Command:
    run, read, risk = step
    costs = prescription.costs if prescription else ""
    return Command(
        title=title, text=run, gives=read, costs=costs, risk=risk or (prescription and prescription.risk) or ""
    )


def _rejected(item: Rejected) -> Prose:
    return Prose(spans=(Span(text=f"{item.title}: ", style="bold"), Span(text=item.because)))


def _after(costs: str) -> str:
    return f" · {costs}" if costs else ""
