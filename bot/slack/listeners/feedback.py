"""What was not helpful about an answer: one optional sentence, asked after the click has counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.case import Entry, EntryKind, Thread
from bot.slack.desk import Desk, now
from bot.slack.listeners.actions import take_action, thread_of_action
from bot.slack.listeners.once import once
from bot.slack.saying.opening import open_quietly
from bot.slack.saying.telling import person_of

VIEW = "vt1:reason"


def register(app: App, desk: Desk) -> None:
    """Listen to "Not helpful" and to the reason given."""

    def count(ack: Ack, body: dict[str, Any]) -> None:
        take_action(desk, body, body["actions"][0])
        ack()

    def ask(body: dict[str, Any], client: WebClient, _: Respond) -> None:
        ask_why(client, body, thread_of_action(body))

    app.action("vt1:unhelpful")(ack=count, lazy=[once(desk, ask)])

    @app.view(VIEW)
    def _reason(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        take_reason(desk, body, view)
        ack()


def ask_why(client: WebClient, body: Mapping[str, Any], thread: Thread) -> None:
    """Open the form; when Slack does not let us, the click counts all the same."""
    told = {
        "type": "input",
        "block_id": "reason",
        "optional": True,
        "label": {"type": "plain_text", "text": "What was wrong or missing?"},
        "element": {"type": "plain_text_input", "action_id": "reason", "multiline": True, "max_length": 2000},
    }
    view = {
        "type": "modal",
        "callback_id": VIEW,
        "private_metadata": thread.model_dump_json(),
        "title": {"type": "plain_text", "text": "Not helpful"},
        "submit": {"type": "plain_text", "text": "Send"},
        "close": {"type": "plain_text", "text": "Skip"},
        "blocks": [told],
    }
    open_quietly(client, body, view)


def take_reason(desk: Desk, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Write the reason as that person's voice."""
    said = ((view.get("state") or {}).get("values") or {}).get("reason", {}).get("reason", {}).get("value")
    if not said:
        return
    thread = Thread.model_validate_json(str(view.get("private_metadata")))
    person = person_of(body)
    entry = Entry(kind=EntryKind.FEEDBACK, at=now(), author=person, text=str(said), value="unhelpful")
    desk.take(thread, entry, [f"reason:{thread.channel}:{thread.root}:{view.get('id')}"])
