"""The one living reply of a case, as Slack's blocks."""

from __future__ import annotations

from typing import Any

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis
from bot.journal.channels import channel
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.document import Details, Document
from bot.slack.delivery import Message
from bot.slack.desk import Desk

_MORE = (
    ("Escalate to people", "escalate"),
    ("Not a vLLM problem", "not-ours"),
    ("Mute this thread", "mute"),
)


def reply(thread: Thread, case: Case, diagnosis: Diagnosis, memory: list[dict[str, Any]]) -> Message:
    """Return the message that says where a case stands; `memory` tells of earlier ones."""
    document = compose(diagnosis)
    is_open = case.state == "open"
    blocks = [*_state(case), *memory, *block_kit.render(document, thread.root, asks=is_open)]
    if document.tone != "unknown":
        blocks.append(_buttons(thread, document, is_open=is_open))
    return Message(document.summary, tuple(blocks))


def _state(case: Case) -> list[dict[str, Any]]:
    if case.state != "resolved":
        return []
    by = f" by <@{case.resolver}>" if case.resolver else ", nothing was heard any more"
    return [{"type": "context", "elements": [{"type": "mrkdwn", "text": f":white_check_mark: Resolved{by}"}]}]


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


def escalation(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis) -> Message:
    """Return the one call for people: who is meant, what it is, and what is known."""
    helpers = channel(desk.journal, thread.workspace, thread.channel).helpers
    elements: list[dict[str, Any]] = []
    if helpers:
        elements += [{"type": "usergroup", "usergroup_id": helpers}, {"type": "text", "text": " "}]
    summary = compose(diagnosis).summary
    known = ", ".join(f"{name} {value}" for name, value in sorted(_known(diagnosis).items()))
    elements.append({"type": "text", "text": f"Help is wanted: {summary}" + (f" ({known})" if known else "")})
    if case.opener:
        elements += [{"type": "text", "text": ", asked by "}, {"type": "user", "user_id": case.opener}]
    section = {"type": "rich_text_section", "elements": elements}
    return Message(f"Help is wanted: {summary}", ({"type": "rich_text", "elements": [section]},))


def _known(diagnosis: Diagnosis) -> dict[str, str]:
    deployment = diagnosis.deployment
    facts = {"model": deployment.model, "GPU": deployment.gpu, "vLLM": deployment.vllm_version}
    return {name: str(value) for name, value in facts.items() if value}
