"""Speaking: posting, editing, deleting, reacting, uploading."""

from __future__ import annotations

import uuid

from bot.workspace.stage import Ask
from bot.workspace.state import rooms, shelf, talk
from bot.workspace.state.records import Channel, File, User
from bot.workspace.state.world import World
from bot.workspace.typed import smartened, typed
from bot.workspace.wire import ApiError, Json


async def post(ask: Ask) -> Json:
    """Post what a person typed, in a channel or a thread.

    `raw` fields go into the message as they are; `smart` bends quotes and dashes as a phone's keyboard does.
    """
    user, channel, text = ask.user, ask.channel, str(ask.given.get("text") or "")
    _let_in(ask.world, channel, user)
    body = _written(ask.world, user, smartened(text) if ask.given.get("smart") else text)
    body |= {"client_msg_id": ask.words("client_msg_id") or str(uuid.uuid4())}
    body |= _thread(ask) | ask.given.get("raw", {})
    return _told(talk.post(ask.world, channel, body).ts, channel)


async def upload(ask: Ask) -> Json:
    """Upload a text as a snippet (or any bytes, as hex) with an optional message."""
    user, channel = ask.user, ask.channel
    _let_in(ask.world, channel, user)
    content = bytes.fromhex(ask.words("hex") or "") or str(ask.given.get("content") or "").encode()
    file = shelf.put_file(ask.world, user.team, user.id, ask.words("name") or "untitled.txt", content=content)
    shelf.share(file, channel.id)
    body = _written(ask.world, user, str(ask.given.get("text") or ""))
    body |= {"subtype": "file_share", "upload": False, "display_as_bot": False, **_thread(ask)}
    body["files"] = [shelf.as_json(file, ask.stage.rig.base)]
    message = talk.post(ask.world, channel, body)
    _announce_file(ask, channel, file)
    return _told(message.ts, channel) | {"file": file.id}


async def bot_post(ask: Ask) -> Json:
    """Post as another bot: an alert, with attachments or blocks."""
    channel, name = ask.channel, ask.words("name") or "Alertmanager"
    body: Json = {"text": str(ask.given.get("text") or ""), "bot_id": "B0ALERTS", "username": name}
    body |= {"subtype": "bot_message", "team": channel.team, **_thread(ask), **ask.given.get("raw", {})}
    return _told(talk.post(ask.world, channel, body).ts, channel)


async def edit(ask: Ask) -> Json:
    """Change what a person wrote."""
    message, user = ask.message, ask.user
    written = _written(ask.world, user, ask.need("text"))
    talk.edit(ask.world, message, {"text": written["text"], "blocks": written["blocks"]}, user.id)
    return _told(message.ts, ask.channel)


async def unfurl(ask: Ask) -> Json:
    """Unfurl a link: `message_changed` with the text unchanged and an attachment more."""
    preview: Json = {"from_url": "http://example.com", "title": "Example", "fallback": "Example", "id": 1}
    talk.edit(ask.world, ask.message, {"attachments": [preview]})
    return _told(ask.message.ts, ask.channel)


async def delete(ask: Ask) -> Json:
    """Delete a message."""
    message = ask.message
    if message.seen_by:
        talk.forget_whisper(ask.world, message)
    else:
        talk.delete(ask.world, message)
    return {"ok": True}


async def react(ask: Ask) -> Json:
    """Add a reaction, or take it back when it was there."""
    name, message = ask.need("name").strip(":"), ask.message
    is_new = talk.react(ask.world, message, name, ask.user.id)
    if not is_new:
        talk.unreact(ask.world, message, name, ask.user.id)
    return {"ok": True, "added": is_new}


def _written(world: World, user: User, text: str) -> Json:
    """Return the fields of a message that a person wrote."""
    names = {each.name: each.id for each in world.users.values() if each.team == user.team}
    said, blocks = typed(text, names)
    body: Json = {"user": user.id, "text": said, "team": user.team}
    return body | ({"blocks": blocks} if blocks else {"blocks": []} if not text else {})


def _thread(ask: Ask) -> Json:
    thread = ask.words("thread_ts")
    if thread is None:
        return {}
    parent = talk.find_message(ask.world, ask.channel.id, thread)
    body: Json = {"thread_ts": parent.root if parent else thread}
    return body | ({"subtype": "thread_broadcast"} if ask.given.get("broadcast") else {})


def _let_in(world: World, channel: Channel, user: User) -> None:
    """Let a person into a public channel by speaking there; others are closed."""
    if channel.is_archived:
        raise ApiError("is_archived", "This channel is archived.")
    if user.id in channel.members:
        return
    if channel.kind != "channel":
        raise ApiError("not_in_channel", f"{user.real_name} is not in this channel.")
    rooms.join(world, channel, user.id)


def _announce_file(ask: Ask, channel: Channel, file: File) -> None:
    event: Json = {"type": "file_shared", "channel_id": channel.id, "channel": channel.id, "file_id": file.id}
    event |= {"user_id": file.user, "file": {"id": file.id}, "event_ts": ask.world.next_ts()}
    ask.world.announce(channel.team, event)


def _told(ts: str, channel: Channel) -> Json:
    return {"ok": True, "ts": ts, "channel": channel.id}
