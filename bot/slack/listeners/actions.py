"""Buttons and selects become entries; ids carry a version, and one that nobody knows gets a polite answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.case import WHOLE_CHANNEL, Entry, EntryKind, Thread
from bot.journal.channels import Mode, set_channel
from bot.slack.desk import Desk, moment
from bot.slack.listeners.messages import workspace_of
from bot.slack.listeners.once import held, press_in
from bot.slack.saying.telling import person_of
from bot.slack.saying.words import MODES, OLD_BUTTON

_MARKS: Mapping[str, EntryKind] = {
    "resolve": EntryKind.RESOLVED,
    "reopen": EntryKind.REOPENED,
    "not-ours": EntryKind.NOT_OURS,
    "mute": EntryKind.MUTED,
    "escalate": EntryKind.ESCALATED,
    "draw": EntryKind.DRAWN,
}
_VOICES: Mapping[str, str] = {"helpful": "helpful", "unhelpful": "unhelpful"}


def register(app: App, desk: Desk) -> None:
    """Listen to every button and select, old ones too."""

    @app.action(re.compile(r"^vt1:mode"))
    def _mode(ack: Ack, body: dict[str, Any]) -> None:
        # Three quick presses say it once; a later one says it again to whoever asks again.
        with held(desk, press_in(body)) as is_ours:
            if is_ours:
                set_mode(desk, body, body["actions"][0])
        ack()

    @app.action(re.compile(r"^vt1:"))
    def _pressed(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        for action in body.get("actions") or ():
            if not take_action(desk, body, action):
                _say_it_is_old(client, body)
        ack()

    @app.action(re.compile(r""))
    def _unknown(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        if not all(action.get("url") for action in body.get("actions") or ()):
            _say_it_is_old(client, body)


def acknowledge(ack: Ack) -> None:
    """Acknowledge a press that leaves nothing to write down; what it asks for comes afterwards."""
    ack()


def take_action(desk: Desk, body: Mapping[str, Any], action: Mapping[str, Any]) -> bool:
    """Write what was pressed as an entry; False when nobody knows what it means any more."""
    thread = thread_of_action(body)
    _, verb, *rest = str(action.get("action_id")).split(":")
    write = _entry(verb, rest, action)
    if write is None or not thread.root:
        return False
    person = person_of(body)
    stamp = str(action.get("action_ts") or "")
    entry = write.model_copy(update={"at": moment(stamp), "author": person})
    desk.take(thread, entry, [f"action:{thread.channel}:{thread.root}:{action.get('action_id')}:{stamp}:{person}"])
    return True


def set_mode(desk: Desk, body: Mapping[str, Any], action: Mapping[str, Any]) -> None:
    """Set when we speak in a channel, as a button of our welcome or of the Home tab says."""
    wanted, at = chosen(action), str(action.get("action_id")).split(":")[3:4]
    channel = at[0] if at else str((body.get("channel") or {}).get("id"))
    known: dict[str, Mode] = {"auto": "auto", "mention": "mention", "off": "off"}
    mode = known.get(wanted or "")
    if mode is None:
        return
    person = person_of(body)
    thread = Thread(workspace=workspace_of(body), channel=channel, root=WHOLE_CHANNEL)
    set_channel(desk.journal, thread.workspace, channel, mode=mode, enabled_by=person)
    if not at:
        desk.notice(thread, str(action.get("action_ts")), MODES[mode])


def _entry(verb: str, rest: list[str], action: Mapping[str, Any]) -> Entry | None:
    maker = _MAKERS.get(verb)
    if maker:
        return maker(rest, action)
    if verb in _MARKS:
        return Entry(kind=_MARKS[verb], at=moment(None))
    if verb in _VOICES:
        return Entry(kind=EntryKind.FEEDBACK, at=moment(None), value=_VOICES[verb])
    return None


def _answer(rest: list[str], action: Mapping[str, Any]) -> Entry | None:
    value = chosen(action)
    if not rest or value is None:
        return None
    return Entry(kind=EntryKind.ANSWER, at=moment(None), fact=rest[0], value=value)


def _more(_: list[str], action: Mapping[str, Any]) -> Entry | None:
    kind = _MARKS.get(chosen(action) or "")
    return Entry(kind=kind, at=moment(None)) if kind else None


def _own(_: list[str], action: Mapping[str, Any]) -> Entry | None:
    return Entry(kind=EntryKind.OWNED, at=moment(None), value=chosen(action))


def _unsure(rest: list[str], _: Mapping[str, Any]) -> Entry | None:
    return Entry(kind=EntryKind.ANSWER, at=moment(None), fact=rest[0]) if rest else None


_MAKERS: Mapping[str, Callable[[list[str], Mapping[str, Any]], Entry | None]] = {
    "answer": _answer,
    "unsure": _unsure,
    "more": _more,
    "own": _own,
}


def chosen(action: Mapping[str, Any]) -> str | None:
    """Return what a button or select stands for."""
    option = action.get("selected_option") or {}
    value = option.get("value") or action.get("value")
    return str(value) if value else None


def thread_of_action(body: Mapping[str, Any]) -> Thread:
    """Return the thread whose reply the button stands in."""
    container: Mapping[str, Any] = body.get("container") or {}
    message: Mapping[str, Any] = body.get("message") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or ""
    root = message.get("thread_ts") or container.get("thread_ts") or message.get("ts") or container.get("message_ts")
    return Thread(workspace=workspace_of(body), channel=str(channel), root=str(root or ""))


def _say_it_is_old(client: WebClient, body: Mapping[str, Any]) -> None:
    thread = thread_of_action(body)
    if thread.channel and thread.root:
        with suppress(SlackApiError, OSError):  # who pressed it is no member of the channel: nothing reaches them there
            client.chat_postEphemeral(
                channel=thread.channel, thread_ts=thread.root, user=str(body["user"]["id"]), text=OLD_BUTTON
            )
