"""The one living reply of a case, as Slack's blocks."""

from __future__ import annotations

from typing import Any

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.document import Details, Document
from bot.slack.delivery import Message


def reply(thread: Thread, case: Case, diagnosis: Diagnosis) -> Message:
    """Return the message that says where a case stands."""
    document = compose(diagnosis)
    is_open = case.state == "open"
    blocks = [*_state(case), *block_kit.render(document, thread.root, asks=is_open)]
    if document.tone != "unknown":
        blocks.append(_buttons(thread, document, is_open=is_open))
    return Message(document.summary, tuple(blocks))


def _state(case: Case) -> list[dict[str, Any]]:
    if case.state != "resolved":
        return []
    by = f" by <@{case.resolver}>" if case.resolver else ""
    return [{"type": "context", "elements": [{"type": "mrkdwn", "text": f":white_check_mark: Resolved{by}"}]}]


def _buttons(thread: Thread, document: Document, *, is_open: bool) -> dict[str, Any]:
    has_details = any(isinstance(part, Details) for part in document.parts)
    row = block_kit.feedback(thread.root, has_details=has_details)
    if is_open:
        return row
    kept = [element for element in row["elements"] if not element["action_id"].endswith(":resolve")]
    return {**row, "elements": [*kept, block_kit.button("Reopen", f"{block_kit.ID}:reopen", thread.root)]}
