"""Reactions that mean something: ✅ resolved, 🔇 mute, thumbs on our reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import App

from bot.case import Entry, EntryKind
from bot.journal.entries import thread_with
from bot.slack.desk import Desk, moment
from bot.slack.listeners.messages import workspace_of

_ADDED: Mapping[str, tuple[EntryKind, str | None]] = {
    "white_check_mark": (EntryKind.RESOLVED, None),
    "heavy_check_mark": (EntryKind.RESOLVED, None),
    "mute": (EntryKind.MUTED, None),
    "+1": (EntryKind.FEEDBACK, "helpful"),
    "thumbsup": (EntryKind.FEEDBACK, "helpful"),
    "-1": (EntryKind.FEEDBACK, "unhelpful"),
    "thumbsdown": (EntryKind.FEEDBACK, "unhelpful"),
}
_REMOVED: Mapping[str, EntryKind] = {
    "white_check_mark": EntryKind.REOPENED,
    "heavy_check_mark": EntryKind.REOPENED,
    "mute": EntryKind.UNMUTED,
}


def register(app: App, desk: Desk) -> None:
    """Listen to reactions given and taken back."""

    @app.event("reaction_added")
    def _added(body: dict[str, Any], event: dict[str, Any]) -> None:
        kind, value = _ADDED.get(_name(event), (None, None))
        take_reaction(desk, body, event, kind, value)

    @app.event("reaction_removed")
    def _removed(body: dict[str, Any], event: dict[str, Any]) -> None:
        take_reaction(desk, body, event, _REMOVED.get(_name(event)), None)


def _name(event: Mapping[str, Any]) -> str:
    return str(event.get("reaction")).partition("::")[0]  # a skin tone comes after two colons


def take_reaction(
    desk: Desk, body: Mapping[str, Any], event: Mapping[str, Any], kind: EntryKind | None, value: str | None
) -> None:
    """Write a reaction to a message of a case as an entry; everything else is left alone."""
    item: Mapping[str, Any] = event.get("item") or {}
    desk = desk.at(workspace_of(body, event))
    if kind is None or event.get("user") == desk.bot_user:
        return
    message = str(item.get("ts"))
    thread = thread_with(desk.journal, workspace_of(body, event), str(item.get("channel")), message)
    if thread is None or (
        kind is EntryKind.RESOLVED and message != thread.root and event.get("item_user") != desk.bot_user
    ):
        return
    stamp = str(event.get("event_ts") or "")
    entry = Entry(kind=kind, at=moment(stamp), author=event.get("user"), message=message, value=value)
    desk.take(
        thread, entry, [f"event:{body.get('event_id')}", f"reaction:{thread.channel}:{stamp}:{event.get('user')}"]
    )
