"""Fixes as a person reads them: what to do, the command to copy, what it gives and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.diagnosis.verdict import Diagnosis, Prescription, Rejected
from bot.reply.document import Bullets, Command, Part, Prose, Span
from bot.reply.failures import say_instead
from bot.reply.spans import prose
from bot.reply.words import alone, ended, inner, requests, tokens
from bot.sizing.terms import Budget

MOST_FIXES = 3
MOST_COMMANDS = 3  # in a reply that fits one screen
MOST_REJECTED = 2  # of each kind
_FEW = 10  # requests of the length that somebody asked for: fewer are worth a decimal
USUAL_REQUEST = 8_192  # tokens; long contexts are allowed more often than used


def say_fixes(diagnosis: Diagnosis) -> list[Part]:
    """Say the best fixes; what was tried and does not help stands in one line each below them."""
    wanted = longest_request(diagnosis)
    shown, _ = choose(diagnosis.prescriptions, wanted)
    rejected = [] if shown and _serves(shown[0], wanted) else _besides(diagnosis)
    first = [item._replace(title=alone(item.title)) for item in shown[:1]]
    return [*(part for item in (*first, *shown[1:]) for part in say_fix(item, wanted)), *say_rejected(rejected)]


def _besides(diagnosis: Diagnosis) -> list[Rejected]:
    """Return what was tried and failed by itself, not by what vLLM refuses with it and without."""
    refused = {refusal.message for refusal in diagnosis.refusals}
    return [item for item in diagnosis.rejected if item.because not in refused]


def longest_request(diagnosis: Diagnosis) -> int | None:
    """Return how long a request the person said they serve."""
    value = diagnosis.evidence.value("longest_request")
    return value if isinstance(value, int) else None


def choose(
    prescriptions: Sequence[Prescription], wanted: int | None = None
) -> tuple[list[Prescription], list[Prescription]]:
    """Part the fixes into those that a short reply shows and those that can wait.

    Variants of a shown one wait, and so do all others once the first serves what the person `wanted`.
    """
    if prescriptions and _serves(prescriptions[0], wanted):
        return list(prescriptions[:1]), list(prescriptions[1:])
    shown: list[Prescription] = []
    for item in prescriptions:
        commands = sum(_length(one) for one in (*shown, item))
        is_room = len(shown) < MOST_FIXES and commands <= MOST_COMMANDS
        if not shown or (is_room and not any(_is_variant(item, one) for one in shown)):
            shown.append(item)
    return shown, [item for item in prescriptions if item not in shown]


def _serves(item: Prescription, wanted: int | None) -> bool:
    length = item.patch.get("max_model_len")
    return wanted is not None and isinstance(length, int) and length >= wanted


def _length(item: Prescription) -> int:
    return 1 if item.command else len(item.steps)


def _is_variant(item: Prescription, shown: Prescription) -> bool:
    """Return whether a fix only varies another: the same title, the same settings, or those and one more."""
    if item.title == shown.title or (item.command and item.command == shown.command):
        return True
    if not item.patch or not shown.patch:
        return False
    is_same = item.patch.keys() == shown.patch.keys()
    return is_same or shown.patch.items() <= item.patch.items()


def say_fix(prescription: Prescription, wanted: int | None = None) -> list[Part]:
    """Say one fix: its command where it changes the deployment, its steps where it does not.

    Args:
        prescription: The fix.
        wanted: The longest request that the person serves, in tokens.
    """
    if prescription.command:
        return [
            Command(
                title=prescription.title,
                text=prescription.command,
                gives=say_gain(prescription.budget, wanted) if prescription.budget else "",
                costs=prescription.costs,
                risk=prescription.risk or "",
                is_launch=True,
            )
        ]
    if not prescription.steps:
        return [Prose(spans=(Span(text=prescription.title, style="bold"), Span(text=_after(prescription.costs))))]
    first, *rest = prescription.steps
    said: list[Part] = [_step(prescription.title, first, prescription)]
    said += [_step("", step, None) for step in rest]
    return said


def say_gain(budget: Budget, wanted: int | None = None) -> str:
    """Say what a sized deployment holds, and whether that lies within the margin of error."""
    held = say_held(budget, wanted)
    return f"{held}; within the margin of error" if held and budget.is_within_margin else held


def say_held(budget: Budget, wanted: int | None = None) -> str:
    """Say what a sized deployment holds, at full length and at the length that is used (`wanted`, or a usual one)."""
    length = budget.deployment.max_model_len
    if not budget.keeps_cache:
        return say_step(budget)
    if budget.kv_tokens <= 0 or not length:
        return ""
    used = wanted or USUAL_REQUEST
    count = budget.requests_of(used)
    if wanted and wanted < length and count < _FEW:
        return f"{requests(budget.concurrency)} of {tokens(length)} tokens, or about {int(count * 10) / 10:g} of {tokens(used)}"
    is_more = int(count) > max(budget.concurrency, 1)
    also = f", or about {int(count)} of {tokens(used)}" if length >= 2 * used and is_more else ""
    return f"{requests(budget.concurrency)} of {tokens(length)} tokens{also}"


def say_step(budget: Budget) -> str:
    """Say how much a model reads at once that keeps no KV cache."""
    told = budget.deployment
    return f"a step reads {tokens(told.max_num_batched_tokens or 0)} tokens, of up to {tokens(told.max_num_seqs or 0)} prompts"


def _step(title: str, step: tuple[str, str, str | None], prescription: Prescription | None) -> Command:
    run, read, risk = step
    costs = prescription.costs if prescription else ""
    return Command(
        title=title, text=run, gives=read, costs=costs, risk=risk or (prescription and prescription.risk) or ""
    )


def say_rejected(rejected: Iterable[Rejected]) -> list[Part]:
    """Say what was tried and does not help: of what only lacks room the best in one line, the rest one by one."""
    said = [item for item in rejected if item.lacks != "context"]  # which would repeat the person's own answer
    short = [item for item in said if item.lacks == "tokens"]
    items = [_short(sorted(short, key=_tokens, reverse=True)[:MOST_REJECTED])] if short else []
    items += [_rejected(item) for item in said if item not in short][:MOST_REJECTED]
    return [Bullets(items=tuple(items))] if items else []


def _tokens(item: Rejected) -> int:
    return item.budget.kv_tokens if item.budget else 0


def _short(items: Sequence[Rejected]) -> Prose:
    named = "; ".join(f"{inner(item.title)} ({_held(item)})" for item in items)
    return prose(f"{named}.", "Not enough alone:")


def _held(item: Rejected) -> str:
    assert item.budget is not None
    length = item.budget.deployment.max_model_len
    held = tokens(_tokens(item))
    return f"{held} of {tokens(length)} tokens" if length else f"{held} tokens"


def _rejected(item: Rejected) -> Prose:
    return prose(ended(say_instead(item.because, item.budget)), f"{alone(item.title)}:")


def _after(costs: str) -> str:
    return f" · {costs}" if costs else ""
