"""A diagnosis in the order a person wants it: what, why, the budget, the fix, what it costs, what is still open."""

from __future__ import annotations

from typing import Literal

from bot.diagnosis.verdict import CauseVerdict, Diagnosis
from bot.reply.document import Ask, Document, Part, Prose, Quote, Span, Title
from bot.reply.quoting import LENGTH, quotes
from bot.reply.say_budget import say_budget
from bot.reply.say_details import say_details
from bot.reply.say_fixes import say_fixes
from bot.reply.words import setting


def compose(diagnosis: Diagnosis) -> Document:
    """Compose the reply to one case; short first, the rest in details."""
    if diagnosis.problem is None:
        return _unknown(diagnosis)
    parts: list[Part] = [_title(diagnosis), *_why(diagnosis)]
    if diagnosis.budget and _is_about_memory(diagnosis):
        parts.append(say_budget(diagnosis.budget, diagnosis.evidence.facts))
    parts += _contradictions(diagnosis)
    parts += say_fixes(diagnosis)
    parts += [Ask(question=question) for question in diagnosis.questions[:2]]
    parts += say_details(diagnosis)
    return Document(summary=_summary(diagnosis), parts=tuple(parts), tone=_tone(diagnosis))


def _tone(diagnosis: Diagnosis) -> Literal["verdict", "alike", "normal"]:
    if diagnosis.match == "alike":
        return "alike"
    return "normal" if diagnosis.problem and diagnosis.problem.role == "noise" else "verdict"


def _is_about_memory(diagnosis: Diagnosis) -> bool:
    """A budget is shown where the problem's fixes or causes speak of memory."""
    problem = diagnosis.problem
    return problem is not None and any(fix.set and fix.is_checked_by_sizing for fix in problem.fixes)


def _headline(diagnosis: Diagnosis) -> str:
    assert diagnosis.told is not None
    title = diagnosis.told.title
    return f"Looks like: {title}" if diagnosis.match == "alike" else title


def _title(diagnosis: Diagnosis) -> Title:
    return Title(text=_headline(diagnosis), aside=setting(diagnosis.deployment))


def _summary(diagnosis: Diagnosis) -> str:
    cause = diagnosis.cause
    return (
        f"{_headline(diagnosis)}: {cause.cause.title}" if cause and cause.verdict == "stands" else _headline(diagnosis)
    )


def _why(diagnosis: Diagnosis) -> list[Part]:
    parts: list[Part] = [*quotes(diagnosis)]
    standing = [verdict for verdict in diagnosis.causes if verdict.verdict == "stands"]
    parts += [_because(verdict) for verdict in standing[:2]]
    if not standing and diagnosis.told and diagnosis.told.summary:
        parts.append(Prose(spans=(Span(text=diagnosis.told.summary),)))
    return parts


def _because(verdict: CauseVerdict) -> Prose:
    return Prose(spans=(Span(text=f"{verdict.cause.title}. ", style="bold"), Span(text=verdict.because)))


def _contradictions(diagnosis: Diagnosis) -> list[Part]:
    return [Prose(spans=(Span(text=text, style="italic"),)) for text in diagnosis.contradictions[:2]]


def _unknown(diagnosis: Diagnosis) -> Document:
    if not diagnosis.is_for_us:
        text = "This is not a vLLM problem I know."
        return Document(summary=text, parts=(Prose(spans=(Span(text=text),)),), tone="unknown")
    text = "I do not know this one yet."
    parts: list[Part] = [Title(text=text, aside=setting(diagnosis.deployment))]
    parts += [Quote(line=failure.line, text=failure.message[:LENGTH]) for failure in diagnosis.evidence.failures[:1]]
    if diagnosis.budget:
        parts.append(say_budget(diagnosis.budget, diagnosis.evidence.facts))
    parts += [Ask(question=question) for question in diagnosis.questions[:2]]
    return Document(summary=text, parts=tuple(parts), tone="unknown")
