"""What people tell us to do in a few words: enable this channel, mute this thread, resolved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bot.case import Entry, EntryKind, Thread
from bot.journal.channels import Mode, set_channel
from bot.journal.entries import is_known
from bot.slack.desk import Desk, moment
from bot.slack.saying.words import ALERTS, HELP, HELPERS, MODES, NO_HELPERS

_MODES: Mapping[str, Mode] = {
    "enable": "auto",
    "enable here": "auto",
    "auto": "auto",
    "mode auto": "auto",
    "mention": "mention",
    "mention only": "mention",
    "mode mention": "mention",
    "disable": "off",
    "off": "off",
    "mode off": "off",
}
_MARKS: Mapping[str, EntryKind] = {
    "resolve": EntryKind.RESOLVED,
    "resolved": EntryKind.RESOLVED,
    "solved": EntryKind.RESOLVED,
    "reopen": EntryKind.REOPENED,
    "mute": EntryKind.MUTED,
    "mute this thread": EntryKind.MUTED,
    "unmute": EntryKind.UNMUTED,
    "unmute this thread": EntryKind.UNMUTED,
    "escalate": EntryKind.ESCALATED,
    "not a vllm problem": EntryKind.NOT_OURS,
}
_GROUP = re.compile(r"<!subteam\^(\w+)")
# Without our name only phrases that nobody says in passing count as an order.
_UNADDRESSED = frozenset({"mute this thread", "unmute this thread", "not a vllm problem"})


def obey(desk: Desk, thread: Thread, event: Mapping[str, Any], words: str, *, is_addressed: bool = True) -> bool:
    """Do what the words tell us to, and return whether they told us anything."""
    order = re.sub(r"[\s.!]+", " ", words).strip().lower()
    if not is_addressed:
        return order in _UNADDRESSED and _mark(desk, thread, event, _MARKS[order])
    if order in _MODES and not thread.channel.startswith("D"):
        return _set_mode(desk, thread, event, _MODES[order])
    if order in ALERTS and not thread.channel.startswith("D"):
        set_channel(
            desk.journal, thread.workspace, thread.channel, allowed_bots=["*"] if order == "allow alerts" else []
        )
        return _say(desk, thread, event, ALERTS[order])
    if order.startswith("helpers"):
        return _set_helpers(desk, thread, event)
    if order in {"help", "hi", "hello"}:
        return _say(desk, thread, event, HELP)
    return order in _MARKS and _mark(desk, thread, event, _MARKS[order])


def _mark(desk: Desk, thread: Thread, event: Mapping[str, Any], kind: EntryKind) -> bool:
    if not is_known(desk.journal, thread):
        return False
    stamp = str(event.get("ts"))
    entry = Entry(kind=kind, at=moment(stamp), author=event.get("user"), message=stamp)
    desk.take(thread, entry, [f"order:{thread.channel}:{stamp}"])
    return True


def _set_helpers(desk: Desk, thread: Thread, event: Mapping[str, Any]) -> bool:
    named = _GROUP.search(str(event.get("text")))
    group = named[1] if named else None
    set_channel(desk.journal, thread.workspace, thread.channel, helpers=group)
    return _say(desk, thread, event, HELPERS if group else NO_HELPERS)


def _set_mode(desk: Desk, thread: Thread, event: Mapping[str, Any], mode: Mode) -> bool:
    # Taken as the channel's setting, which is the same however often Slack delivers the order.
    set_channel(desk.journal, thread.workspace, thread.channel, mode=mode, enabled_by=event.get("user"))
    return _say(desk, thread, event, MODES[mode])


def _say(desk: Desk, thread: Thread, event: Mapping[str, Any], text: str) -> bool:
    desk.notice(thread, str(event.get("ts")), text)
    return True
