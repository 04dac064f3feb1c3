"""The answer to our offer to take a look."""

from __future__ import annotations

from typing import Any

from slack_bolt import Ack, App, Respond

from bot.case import Entry, EntryKind, Thread
from bot.slack.desk import Desk, now
from bot.slack.listeners.actions import acknowledge, chosen
from bot.slack.listeners.messages import workspace_of


def register(app: App, desk: Desk) -> None:
    """Listen to both buttons; either takes the offer away."""

    def look(ack: Ack, body: dict[str, Any]) -> None:
        take_look(desk, body)
        ack()

    def remove(respond: Respond) -> None:
        respond(delete_original=True)

    app.action("vt1:look")(ack=look, lazy=[remove])
    app.action("vt1:look:no")(ack=acknowledge, lazy=[remove])


def take_look(desk: Desk, body: dict[str, Any]) -> None:
    """Take it as if the person had called us into the thread."""
    channel, root = str(body["channel"]["id"]), str(chosen(body["actions"][0]))
    thread = Thread(workspace=workspace_of(body), channel=channel, root=root)
    entry = Entry(kind=EntryKind.MENTIONED, at=now(), author=str(body["user"]["id"]), message=root)
    desk.take(thread, entry, [f"look:{channel}:{root}"])
