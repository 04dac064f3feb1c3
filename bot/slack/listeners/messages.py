"""Messages, mentions, edits and deletions become entries; whether to speak is decided afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from slack_bolt import App

from bot.case import Attachment, Entry, EntryKind, Thread
from bot.journal.channels import Channel, channel
from bot.journal.entries import is_known
from bot.slack.desk import Desk, moment
from bot.slack.hearing.unmangle import unmangle, without_mention
from bot.slack.listeners.orders import obey

# A person's own words; every other subtype reports that somebody joined, pinned, renamed …
_STRAGGLERS = timedelta(minutes=10)
_SPOKEN = frozenset({None, "file_share", "thread_broadcast", "bot_message", "me_message"})


def register(app: App, desk: Desk) -> None:
    """Listen to messages and mentions."""

    @app.event("message")
    def _message(body: dict[str, Any], event: dict[str, Any]) -> None:
        take_message(desk, body, event)

    @app.event("app_mention")
    def _mention(body: dict[str, Any], event: dict[str, Any]) -> None:
        take_mention(desk, body, event)


def take_message(desk: Desk, body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
    """Take a message, its edit or its deletion, where we may listen."""
    workspace = workspace_of(body, event)
    desk = desk.at(workspace)
    subtype = event.get("subtype")
    if subtype == "message_changed":
        _take_edit(desk, workspace, event)
    elif subtype == "message_deleted":
        _take_deletion(desk, workspace, event, str(event.get("deleted_ts")))
    elif subtype in _SPOKEN:
        _take_words(desk, workspace, body, event)


def _take_words(desk: Desk, workspace: str, body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
    room = channel(desk.journal, workspace, str(event.get("channel")))
    is_direct = event.get("channel_type") == "im"
    if not _is_heard(desk, room, event, is_direct=is_direct):
        return
    if is_direct:
        words = without_mention(unmangle(event), desk.bot_user)
        if not obey(desk, thread_of(workspace, event), event, words):
            _take_addressed(desk, workspace, body, event)
    elif _calls_us(desk, event):
        # Its twin, the mention, may come later: what is said next must not be taken for a part of this meanwhile.
        take_mention(desk, body, event)
    else:
        take_words(desk, workspace, event, [f"event:{body.get('event_id')}"])


def _calls_us(desk: Desk, event: Mapping[str, Any]) -> bool:
    words = unmangle(event)
    return without_mention(words, desk.bot_user) != words.strip()


def _is_heard(desk: Desk, room: Channel, event: Mapping[str, Any], *, is_direct: bool) -> bool:
    """Say whether we may listen to this message at all."""
    if not _is_from_a_person(event, room) or room.mode == "off":
        return False
    return is_direct or room.mode == "auto" or is_known(desk.journal, thread_of(room.workspace, event))


def _is_from_a_person(event: Mapping[str, Any], room: Channel) -> bool:
    bot = event.get("bot_id")
    if bot or event.get("subtype") == "bot_message":
        return "*" in room.allowed_bots or bot in room.allowed_bots
    return event.get("user") not in {None, "USLACKBOT"}


def take_mention(desk: Desk, body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
    """Take a message that calls us by name; its plain twin may have come before it, or comes after."""
    if event.get("bot_id"):
        return
    workspace = workspace_of(body, event)
    desk = desk.at(workspace)
    words = without_mention(unmangle(event), desk.bot_user)
    if obey(desk, thread_of(workspace, event), event, words):
        return
    if channel(desk.journal, workspace, str(event.get("channel"))).mode != "off":
        _take_addressed(desk, workspace, body, event)


def _take_addressed(desk: Desk, workspace: str, body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
    take_words(desk, workspace, event, [])
    stamp = str(event.get("ts"))
    entry = Entry(kind=EntryKind.MENTIONED, at=moment(stamp), author=event.get("user"), message=stamp)
    keys = [f"event:{body.get('event_id')}", f"mention:{event.get('channel')}:{stamp}"]
    desk.take(thread_of(workspace, event), entry, keys)


def take_words(desk: Desk, workspace: str, event: Mapping[str, Any], keys: Iterable[str]) -> bool:
    """Write a message as an entry and return whether it is new; its channel and timestamp make it the same message however it comes."""
    stamp, thread = str(event.get("ts")), thread_of(workspace, event)
    words = without_mention(unmangle(event), desk.bot_user)
    is_reply = stamp != thread.root
    if is_reply and obey(desk, thread, event, words, is_addressed=False):
        return False
    entry = Entry(
        kind=EntryKind.REPLY if is_reply else EntryKind.PASTE,
        at=moment(stamp),
        author=event.get("user") or event.get("bot_id"),
        message=stamp,
        text=words,
        files=tuple(_files(event)),
    )
    gesture = [f"client:{event['client_msg_id']}"] if event.get("client_msg_id") else []
    return desk.take(thread, entry, [*keys, *gesture, f"message:{thread.channel}:{stamp}"])


def _files(event: Mapping[str, Any]) -> Iterable[Attachment]:
    for file in event.get("files") or ():
        yield Attachment(
            id=str(file.get("id")),
            name=str(file.get("name") or ""),
            kind=str(file.get("mimetype") or file.get("filetype") or ""),
            size=file.get("size"),
            url=file.get("url_private_download") or file.get("url_private"),
        )


def _take_edit(desk: Desk, workspace: str, event: Mapping[str, Any]) -> None:
    message: Mapping[str, Any] = event.get("message") or {}
    before: Mapping[str, Any] = event.get("previous_message") or {}
    if message.get("subtype") == "tombstone":  # a deleted message whose thread lives on
        _take_deletion(desk, workspace, event, str(message.get("ts")))
        return
    words = without_mention(unmangle(message), desk.bot_user)
    is_ours = message.get("user") == desk.bot_user
    # Slack also reports a change when it unfurls a link or counts replies: the words are what they were.
    if is_ours or words == without_mention(unmangle(before), desk.bot_user):
        return
    edited = (message.get("edited") or {}).get("ts") or event.get("event_ts") or event.get("ts")
    thread = _thread_of_message(workspace, event, message)
    entry = Entry(
        kind=EntryKind.EDITED, at=moment(edited), author=message.get("user"), message=str(message.get("ts")), text=words
    )
    if is_known(desk.journal, thread) or _may_come_later(desk, thread, event, message):
        desk.take(thread, entry, [f"edited:{thread.channel}:{message.get('ts')}:{edited}"])


def _take_deletion(desk: Desk, workspace: str, event: Mapping[str, Any], stamp: str) -> None:
    before = event.get("previous_message") or event.get("message") or {}
    thread = _thread_of_message(workspace, event, {**before, "ts": stamp})
    entry = Entry(kind=EntryKind.DELETED, at=moment(event.get("event_ts") or event.get("ts")), message=stamp)
    if is_known(desk.journal, thread) or _may_come_later(desk, thread, event, before):
        desk.take(thread, entry, [f"deleted:{thread.channel}:{stamp}"])


def _may_come_later(desk: Desk, thread: Thread, event: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    """Say whether the message itself is still on its way: events come in no order."""
    room = channel(desk.journal, thread.workspace, thread.channel)
    is_direct = event.get("channel_type") == "im"
    is_recent = desk.clock() - moment(message.get("ts")) < _STRAGGLERS
    return is_recent and _is_heard(desk, room, {**message, "channel": thread.channel}, is_direct=is_direct)


def _thread_of_message(workspace: str, event: Mapping[str, Any], message: Mapping[str, Any]) -> Thread:
    return thread_of(workspace, {**message, "channel": event.get("channel")})


def workspace_of(body: Mapping[str, Any], event: Mapping[str, Any] | None = None) -> str:
    """Return the workspace that an event, action or command belongs to."""
    team = body.get("team_id") or (body.get("team") or {}).get("id") or (event or {}).get("team")
    return str(team or (body.get("enterprise") or {}).get("id") or "")


def thread_of(workspace: str, event: Mapping[str, Any]) -> Thread:
    """Return the thread that a message stands in; a message that nobody answered yet begins one."""
    root = str(event.get("thread_ts") or event.get("ts"))
    return Thread(workspace=workspace, channel=str(event.get("channel")), root=root)
