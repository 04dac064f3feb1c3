"""The one living reply of a case, as Slack's blocks."""

from __future__ import annotations

from typing import Any

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis, Question
from bot.journal.channels import channel
from bot.journal.team_sheet import say_clock
from bot.journal.teams import settings_of
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.document import Details, Document
from bot.slack.api.markup import escape
from bot.slack.desk import Desk
from bot.slack.saying.brief import brief
from bot.slack.saying.changes import changes
from bot.slack.saying.delivery import Message
from bot.slack.saying.owners import owner_of

_QUIET_HOURS = "Nobody is called: the team has its quiet hours until {until}."
_MORE = (
    ("Escalate to people", "escalate"),
    ("Not a vLLM problem", "not-ours"),
    ("Mute this thread", "mute"),
)


def reply(
    thread: Thread, case: Case, diagnosis: Diagnosis, memory: list[dict[str, Any]], before: Diagnosis | None = None
) -> Message:
    """Return the message that says where a case stands.

    Args:
        thread: Where the case lives.
        case: The case.
        diagnosis: What we make of it.
        memory: Tells of earlier cases; with it the reply is short.
        before: What we made of it before its last edit.
    """
    is_open = case.state == "open"
    document = compose(diagnosis.model_copy(update={"questions": open_questions(case, diagnosis)}))
    document = brief(document) if memory else document
    state = _state(case, diagnosis, changes(before, diagnosis))
    blocks = [*state, *memory, *block_kit.render(document, thread.root, asks=is_open), *_ways(case, diagnosis)]
    if document.tone != "unknown":
        blocks.append(_buttons(thread, document, is_open=is_open))
    return Message(escape(document.summary), tuple(blocks))


def open_questions(case: Case, diagnosis: Diagnosis) -> tuple[Question, ...]:
    """Return the questions that nobody has said "I don't know" to."""
    return tuple(question for question in diagnosis.questions if question.name not in case.declined)


def _ways(case: Case, diagnosis: Diagnosis) -> list[dict[str, Any]]:
    """Return how to find out what somebody did not know."""
    unknown = [question for question in diagnosis.questions if question.name in case.declined]
    parts: list[dict[str, Any]] = []
    for question in unknown:
        if question.how_to_find_out:
            told = [{"type": "text", "text": f"To answer “{question.text}” run:"}]
            parts.append({"type": "rich_text_section", "elements": told})
            run = [{"type": "text", "text": question.how_to_find_out}]
            parts.append({"type": "rich_text_preformatted", "elements": run})
    return [{"type": "rich_text", "elements": parts}] if parts else []


def _state(case: Case, diagnosis: Diagnosis, changed: str) -> list[dict[str, Any]]:
    said = [escape(changed)[:2_000]] if case.is_edited else []
    if case.state == "resolved":
        by = f" by <@{case.resolver}>" if case.resolver else ", nothing was heard any more"
        how = f": {escape(name_of_fix(case.fix, diagnosis))}" if case.fix else ""
        said.append(f":white_check_mark: Resolved{by}{how}")
    return [{"type": "context", "elements": [{"type": "mrkdwn", "text": text} for text in said]}] if said else []


def name_of_fix(fix: str, diagnosis: Diagnosis) -> str:
    """Return the title of a fix that somebody chose, or the words in which somebody told of another."""
    titles = (each.title for each in diagnosis.prescriptions if each.fix.id == fix)
    known = diagnosis.problem.fixes if diagnosis.problem else ()
    return next(titles, None) or (fix.replace("-", " ") if any(each.id == fix for each in known) else fix)


def _buttons(thread: Thread, document: Document, *, is_open: bool) -> dict[str, Any]:
    has_details = any(isinstance(part, Details) for part in document.parts)
    row = block_kit.feedback(thread.root, has_details=has_details)
    if is_open:
        return {**row, "elements": [*row["elements"], _more()]}
    kept = [element for element in row["elements"] if not element["action_id"].endswith(":resolve")]
    return {**row, "elements": [*kept, block_kit.button("Reopen", f"{block_kit.ID}:reopen", thread.root)]}


def _more() -> dict[str, Any]:
    options = [{"text": {"type": "plain_text", "text": label}, "value": verb} for label, verb in _MORE]
    return {"type": "overflow", "action_id": f"{block_kit.ID}:more", "options": options}


def _called(desk: Desk, thread: Thread, case: Case) -> list[dict[str, Any]]:
    """Return the mention of those who help, or why nobody is called: their team has its quiet hours."""
    team = settings_of(desk.journal, thread.workspace, owner_of(desk, thread, case))
    helpers = channel(desk.journal, thread.workspace, thread.channel).helpers or team.escalation
    if not helpers:
        return []
    if team.is_quiet(desk.clock()):
        return [{"type": "text", "text": f"{_QUIET_HOURS.format(until=say_clock(team.quiet_until or 0))} "}]
    return [{"type": "usergroup", "usergroup_id": helpers}, {"type": "text", "text": " "}]


def escalation(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis) -> Message:
    """Return the one call for people: who is meant, what it is, and what is known."""
    elements = _called(desk, thread, case)
    summary = compose(diagnosis).summary
    known = ", ".join(f"{name} {value}" for name, value in sorted(_known(diagnosis).items()))
    elements.append({"type": "text", "text": f"Help is wanted: {summary}" + (f" ({known})" if known else "")})
    if case.opener:
        elements += [{"type": "text", "text": ", asked by "}, {"type": "user", "user_id": case.opener}]
    section = {"type": "rich_text_section", "elements": elements}
    return Message(f"Help is wanted: {escape(summary)}", ({"type": "rich_text", "elements": [section]},))


def _known(diagnosis: Diagnosis) -> dict[str, str]:
    deployment = diagnosis.deployment
    facts = {"model": deployment.model, "GPU": deployment.gpu, "vLLM": deployment.vllm_version}
    return {name: str(value) for name, value in facts.items() if value}
