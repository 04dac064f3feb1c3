"""The one living reply of a case, as Slack's blocks."""

from __future__ import annotations

from typing import Any

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis, Question
from bot.journal.channels import channel
from bot.journal.team_sheet import say_clock
from bot.journal.teams import settings_of
from bot.reply import block_kit
from bot.reply.block_elements import MAX_CONTEXT, code_block, plain, rich_text, runs, runs_of, section
from bot.reply.compose import compose
from bot.reply.document import BudgetTable, Details, Document, Span
from bot.reply.shortening import shorten
from bot.reply.spans import spans
from bot.reply.words import setting
from bot.slack.api.markup import escape
from bot.slack.desk import Desk
from bot.slack.saying.brief import Memory, brief
from bot.slack.saying.changes import changes
from bot.slack.saying.delivery import Message
from bot.slack.saying.owners import owner_of

_NOBODY = "Nobody is set to be called here; `helpers @group`, said to me in this channel, changes that."
_QUIET_HOURS = "Nobody is called: the team has its quiet hours until {until}."
_DRAW = ("Picture of the budget", "draw")
_MORE = (
    ("Escalate to people", "escalate"),
    ("Not a vLLM problem", "not-ours"),
    ("Mute this thread", "mute"),
)


def reply(thread: Thread, case: Case, diagnosis: Diagnosis, memory: Memory, before: Diagnosis | None = None) -> Message:
    """Return the message that says where a case stands.

    Args:
        thread: Where the case lives.
        case: The case.
        diagnosis: What we make of it.
        memory: Tells of earlier cases; after one of the same model on the same card the reply is short.
        before: What we made of it before its last edit.
    """
    is_open = case.state == "open"
    document = compose(diagnosis._replace(questions=open_questions(case, diagnosis)))
    has_budget = any(isinstance(part, BudgetTable) for part in document.parts)
    document = brief(document) if memory.is_the_same else shorten(document)
    state = _state(case, diagnosis, changes(before, diagnosis))
    blocks = [*state, *memory.blocks, *block_kit.render(document, thread.root, asks=is_open), *_ways(case, diagnosis)]
    if document.tone != "unknown":
        blocks.append(_buttons(thread, document, _more(case, has_budget=has_budget) if is_open else ()))
    return Message(escape(document.summary), tuple(blocks), block_kit.attachments(document))


def _more(case: Case, *, has_budget: bool) -> tuple[tuple[str, str], ...]:
    """Return what else can be asked for; what was asked for once is on its way or there."""
    left = _MORE[1:] if case.is_escalated else _MORE
    return (*left, _DRAW) if has_budget and not case.is_drawn else left


def open_questions(case: Case, diagnosis: Diagnosis) -> tuple[Question, ...]:
    """Return the questions that nobody has said "I don't know" to."""
    return tuple(question for question in diagnosis.questions if question.name not in case.declined)


def _ways(case: Case, diagnosis: Diagnosis) -> list[dict[str, Any]]:
    """Return how to find out what somebody did not know: a command to copy, or where to look."""
    ways = [(each.text, each.how_to_find_out) for each in diagnosis.questions if each.name in case.declined]
    parts = [part for text, way in ways if way for part in _way(text, spans(way))]
    return [rich_text(*parts)] if parts else []


def _way(question: str, way: tuple[Span, ...]) -> list[dict[str, Any]]:
    if len(way) == 1 and way[0].style == "code":
        return [section(runs_of(question, bold=True)), code_block(way[0].text)]
    return [section([*runs_of(f"{question} ", bold=True), *runs(way)])]


def _state(case: Case, diagnosis: Diagnosis, changed: str) -> list[dict[str, Any]]:
    said = [plain(changed, MAX_CONTEXT)] if case.is_edited else []
    if case.state == "resolved":
        by = f" by <@{case.resolver}>" if case.resolver else ", nothing was heard any more"
        said.append({"type": "mrkdwn", "text": f":white_check_mark: Resolved{by}"})
        said += [plain(name_of_fix(case.fix, diagnosis), MAX_CONTEXT)] if case.fix else []
    return [{"type": "context", "elements": said}] if said else []


def name_of_fix(fix: str, diagnosis: Diagnosis) -> str:
    """Return the title of a fix that somebody chose, or the words in which somebody told of another."""
    titles = (each.title for each in diagnosis.prescriptions if each.fix.id == fix)
    known = diagnosis.problem.fixes if diagnosis.problem else ()
    return next(titles, None) or (fix.replace("-", " ") if any(each.id == fix for each in known) else fix)


def _buttons(thread: Thread, document: Document, more: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Return the row of buttons; a case with nothing more to do is closed."""
    has_details = any(isinstance(part, Details) for part in document.parts)
    row = block_kit.feedback(thread.root, has_details=has_details)
    if more:
        return {**row, "elements": [*row["elements"], _menu(more)]}
    kept = [element for element in row["elements"] if not element["action_id"].endswith(":resolve")]
    return {**row, "elements": [*kept, block_kit.button("Reopen", f"{block_kit.ID}:reopen", thread.root)]}


def _menu(more: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    options = [{"text": {"type": "plain_text", "text": label}, "value": verb} for label, verb in more]
    return {"type": "overflow", "action_id": f"{block_kit.ID}:more", "options": options}


def _called(desk: Desk, thread: Thread, case: Case) -> list[dict[str, Any]]:
    """Return the mention of those who help, or why nobody is called: nobody is set, or they have their quiet hours."""
    team = settings_of(desk.journal, thread.workspace, owner_of(desk, thread, case))
    helpers = channel(desk.journal, thread.workspace, thread.channel).helpers or team.escalation
    if not helpers:
        return [{"type": "text", "text": f"{_NOBODY} "}]
    if team.is_quiet(desk.clock()):
        return [{"type": "text", "text": f"{_QUIET_HOURS.format(until=say_clock(team.quiet_until or 0))} "}]
    return [{"type": "usergroup", "usergroup_id": helpers}, {"type": "text", "text": " "}]


def escalation(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis) -> Message:
    """Return the one call for people: who is meant, what it is, and what is known."""
    elements = _called(desk, thread, case)
    summary = compose(diagnosis).summary
    known = setting(diagnosis.deployment)
    elements.append({"type": "text", "text": f"Help is wanted: {summary}" + (f" ({known})" if known else "")})
    if case.opener:
        elements += [{"type": "text", "text": ", asked by "}, {"type": "user", "user_id": case.opener}]
    section = {"type": "rich_text_section", "elements": elements}
    return Message(f"Help is wanted: {escape(summary)}", ({"type": "rich_text", "elements": [section]},))
