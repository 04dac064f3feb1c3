"""A diagnosis in the order a person wants it: what, why, the budget, the fix, what it costs, what is still open."""

from __future__ import annotations

from typing import Literal

from bot.diagnosis.completion import hides_flags
from bot.diagnosis.verdict import CauseVerdict, Diagnosis, Question
from bot.reply.document import Ask, BudgetTable, Command, Document, Part, Prose, Quote, Title
from bot.reply.quoting import LENGTH, quotes
from bot.reply.say_budget import say_budget
from bot.reply.say_details import say_details
from bot.reply.say_fixes import say_fixes
from bot.reply.say_holders import NO_FAILURE, say_holders
from bot.reply.spans import prose, remark
from bot.reply.words import inner, setting
from bot.sizing.terms import Budget

_MOST_OTHERS = 2  # causes named beside the first; all of them stand under details


def compose(diagnosis: Diagnosis) -> Document:
    """Compose the reply to one case; short first, the rest in details."""
    if diagnosis.problem is None:
        return _unknown(diagnosis)
    parts: list[Part] = [_title(diagnosis), *_why(diagnosis)]
    if diagnosis.budget and _is_about_memory(diagnosis):
        parts.append(_budget(diagnosis.budget, diagnosis))
    parts += _contradictions(diagnosis)
    parts += say_fixes(diagnosis)
    parts += [*_also_seen(diagnosis), *_remarks(diagnosis)]
    parts += _asks(diagnosis)
    parts += say_details(diagnosis)
    return Document(summary=_summary(diagnosis), parts=tuple(parts), tone=_tone(diagnosis))


def _budget(budget: Budget, diagnosis: Diagnosis) -> BudgetTable:
    is_cut = hides_flags(diagnosis.deployment, diagnosis.evidence)
    return say_budget(budget, diagnosis.evidence.facts, hides_flags=is_cut)


def _tone(diagnosis: Diagnosis) -> Literal["verdict", "alike", "normal"]:
    if diagnosis.match == "alike":
        return "alike"
    return "normal" if diagnosis.problem and diagnosis.problem.role == "noise" else "verdict"


def _is_about_memory(diagnosis: Diagnosis) -> bool:
    """A budget is shown where the fixes speak of memory, and not where it denies that what serves could start."""
    problem, budget = diagnosis.problem, diagnosis.budget
    if problem is None or budget is None or not any(fix.set and fix.is_checked_by_sizing for fix in problem.fixes):
        return False
    return budget.kv_available > 0 or problem.stage not in {"serving", "request"}


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
    """Say the first cause that stands in full, the others by name."""
    parts: list[Part] = [*quotes(diagnosis)]
    standing = [verdict for verdict in diagnosis.causes if verdict.verdict == "stands"]
    if standing:
        first, *others = [standing[0], *filter(_is_specific, standing[1:])]
        named = "; ".join(inner(other.cause.title) for other in others[:_MOST_OTHERS])
        also = f" Also: {named}." if named else ""
        parts.append(_because(first, also))
    elif diagnosis.told and diagnosis.told.summary and not _is_excluded(diagnosis):
        parts.append(prose(diagnosis.told.summary))
    return parts


def _is_excluded(diagnosis: Diagnosis) -> bool:
    """Return whether the budget has room for what the message says is missing: its figures are then no explanation."""
    return any(each.kind == "budget" for each in diagnosis.contradictions)


def _is_specific(verdict: CauseVerdict) -> bool:
    """Return whether a cause stands by what the paste shows; one without a condition always stands."""
    return not verdict.cause.is_certain


def _because(verdict: CauseVerdict, also: str) -> Prose:
    title = verdict.cause.title
    stop = "" if title.endswith((".", "?", "!")) else "."
    return prose(f"{verdict.because}{also}", f"{title}{stop}")


def _asks(diagnosis: Diagnosis) -> list[Part]:
    return [Ask(question=_asked(question, diagnosis)) for question in diagnosis.questions[:2]]


def _asked(question: Question, diagnosis: Diagnosis) -> Question:
    """Return a question without what the reply has said already: how to get the earlier lines is the fix itself."""
    is_said = question.name == "log" and bool(diagnosis.prescriptions)
    return question._replace(why="", how_to_find_out="") if is_said else question


def _contradictions(diagnosis: Diagnosis) -> list[Part]:
    """Say them; but where a cause has explained the failure, not that the budget did not expect it."""
    is_explained = diagnosis.cause is not None and _is_specific(diagnosis.cause)
    said = [each.text for each in diagnosis.contradictions if not (is_explained and each.kind in {"failure", "budget"})]
    return [remark(text) for text in said[:2]]


def _remarks(diagnosis: Diagnosis) -> list[Part]:
    return [remark(" ".join(diagnosis.remarks))] if diagnosis.remarks else []


def _also_seen(diagnosis: Diagnosis) -> list[Part]:
    """Name the problems that the first one does not explain."""
    said = "; ".join(f"{inner(seen.title)} — line {seen.line}" for seen in diagnosis.also_seen[:_MOST_OTHERS])
    return [prose(f"{said}. Send that line on its own for its causes and fixes.", "Also seen:")] if said else []


def _unknown(diagnosis: Diagnosis) -> Document:
    if not diagnosis.is_for_us:
        return _not_ours(diagnosis)
    text = "I do not know this one yet"
    parts: list[Part] = [Title(text=text, aside=setting(diagnosis.deployment))]
    parts += [Quote(line=failure.line, text=failure.message[:LENGTH]) for failure in diagnosis.evidence.failures[:1]]
    if diagnosis.budget:
        parts.append(_budget(diagnosis.budget, diagnosis))
    parts += [*_remarks(diagnosis), *_asks(diagnosis)]
    if diagnosis.evidence.failures:
        parts.append(_WHAT_HELPS)
    return Document(summary=text, parts=tuple(parts), tone="unknown")


def _not_ours(diagnosis: Diagnosis) -> Document:
    evidence, deployment = diagnosis.evidence, diagnosis.deployment
    if not evidence.failures and (holders := say_holders(evidence)):
        return Document(summary=NO_FAILURE, parts=tuple(holders), tone="unknown")
    text = "This is not a vLLM problem I know."
    more = "If it is about vLLM, paste the error with the 30 lines above it, or the launch command."
    if evidence.config:
        card = deployment.gpu or "L40S"
        text = "This is a model's config.json, and no failure."
        more = f'For its memory budget paste it behind `/vllm-size on {card}`, or run `vllm-triage size --config config.json "on {card}"`.'
    elif deployment.model and (deployment.gpu or deployment.card or deployment.command):
        more = f"For the memory budget of {setting(deployment)} ask `/vllm-size`, or `vllm-triage size` in a terminal"
        more += "." if deployment.gpu or deployment.card else ", and name the GPU. If it fails, paste what it prints."
    return Document(summary=text, parts=(prose(f"{text} {more}"),), tone="unknown")


_WHAT_HELPS = Command(
    title="What people will ask for",
    text="vllm collect-env",
    gives="Versions, cards and driver. With the launch command and the first 200 lines of the log that is a full report.",
)
