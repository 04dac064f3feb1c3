"""The message shortcut "Diagnose this": the message counts as if it had called us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App

from bot.case import Entry, EntryKind
from bot.slack.desk import Desk, moment
from bot.slack.listeners.messages import take_words, thread_of, workspace_of
from bot.slack.manifest import SHORTCUT


def register(app: App, desk: Desk) -> None:
    """Listen to the shortcut."""

    @app.shortcut(SHORTCUT)
    def _diagnose(ack: Ack, body: dict[str, Any]) -> None:
        take_shortcut(desk, body)
        ack()


def take_shortcut(desk: Desk, body: Mapping[str, Any]) -> None:
    """Take the message, whoever wrote it, and that somebody asked about it."""
    channel = str((body.get("channel") or {}).get("id"))
    message: dict[str, Any] = {**(body.get("message") or {}), "channel": channel}
    workspace = workspace_of(body)
    desk = desk.at(workspace)
    take_words(desk, workspace, message, [])
    stamp, person = str(message.get("ts")), str((body.get("user") or {}).get("id"))
    entry = Entry(kind=EntryKind.MENTIONED, at=moment(body.get("action_ts")), author=person, message=stamp)
    desk.take(thread_of(workspace, message), entry, [f"shortcut:{channel}:{stamp}:{body.get('action_ts')}"])
