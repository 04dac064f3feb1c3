"""`chat.*`: posting, editing and deleting what the app says."""

from __future__ import annotations

from bot.workspace.limits import LARGEST_BLOCKS, LONGEST_TEXT, LONGEST_UPDATE, check_blocks, size_of
from bot.workspace.naming import with_ids
from bot.workspace.rig import Call, Method
from bot.workspace.state import talk
from bot.workspace.state.records import Channel, Message
from bot.workspace.wire import ApiError, Json, fresh_id

_LONGEST_MARKDOWN = 12_000
_FARTHEST_SCHEDULE = 120 * 86_400


def post_message(call: Call) -> Json:
    """Post a message as the app."""
    channel = writable(call)
    body = _with_thread(call, channel, content(call) | author(call))
    message = talk.post(call.world, channel, body, _metadata(call))
    answer = _posted(call, channel, message)
    return answer | ({"warning": "message_truncated"} if len(str(call.args.get("text") or "")) > LONGEST_TEXT else {})


def post_ephemeral(call: Call) -> Json:
    """Show a message to one user in a channel."""
    channel = writable(call)
    user = call.need("user", "user_not_found")
    if user not in channel.members:
        raise ApiError("user_not_in_channel")
    body = content(call) | author(call)
    if thread := call.words("thread_ts"):
        body["thread_ts"] = thread
    return {"ok": True, "message_ts": talk.whisper(call.world, channel, body, user).ts}


def update(call: Call) -> Json:
    """Change a message of the app; what the call leaves out stays as it was."""
    channel = call.channel()
    message = own_message(call, channel, "cant_update_message")
    if len(str(call.args.get("text") or "")) > LONGEST_UPDATE:
        raise ApiError("msg_too_long")
    changes = content(call)
    if "text" not in call.args:
        changes.pop("text")
    if (metadata := _metadata(call)) is not None:
        message.metadata = metadata
    talk.edit(call.world, message, changes, call.caller.bot_user)
    shown = talk.as_json(call.world, message)
    return {"ok": True, "channel": channel.id, "ts": message.ts, "text": message.body["text"], "message": shown}


def delete(call: Call) -> Json:
    """Delete a message of the app."""
    channel = call.channel()
    message = own_message(call, channel, "cant_delete_message")
    talk.delete(call.world, message)
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def get_permalink(call: Call) -> Json:
    """Return the address of a message."""
    channel = call.channel()
    message = talk.find_message(call.world, channel.id, call.need("message_ts"))
    if message is None:
        raise ApiError("message_not_found")
    address = f"{call.rig.base}/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.root != message.ts:
        address += f"?thread_ts={message.root}&cid={channel.id}"
    return {"ok": True, "channel": channel.id, "permalink": address}


def schedule(call: Call) -> Json:
    """Post a message at a later time."""
    channel = writable(call)
    at = call.number("post_at", 0)
    wait = at - call.rig.clock.now()
    if wait <= 0 or wait > _FARTHEST_SCHEDULE:
        raise ApiError("time_in_past" if wait <= 0 else "time_too_far")
    body = _with_thread(call, channel, content(call) | author(call))
    name = fresh_id("Q")
    call.world.scheduled[name] = {"channel": channel.id, "post_at": at, "body": body}
    call.rig.later(wait, lambda: _post_scheduled(call, channel, name))
    return {"ok": True, "channel": channel.id, "scheduled_message_id": name, "post_at": at, "message": body}


def unschedule(call: Call) -> Json:
    """Forget a message that was to be posted later."""
    if call.world.scheduled.pop(call.need("scheduled_message_id"), None) is None:
        raise ApiError("invalid_scheduled_message_id")
    return {"ok": True}


def writable(call: Call) -> Channel:
    """Return the channel when the app may write in it.

    Raises:
        ApiError: `is_archived`, or `not_in_channel` without the scope to write from outside.
    """
    channel = call.channel()
    if channel.is_archived:
        raise ApiError("is_archived")
    if call.caller.bot_user not in channel.members and not _may_write_from_outside(call, channel):
        raise ApiError("not_in_channel")
    return channel


def content(call: Call) -> Json:
    """Return the text, blocks and attachments that a call gives, checked and completed.

    Raises:
        ApiError: `no_text`, `invalid_blocks`, `msg_blocks_too_long` or `markdown_text_conflict`.
    """
    text, blocks = str(call.args.get("text") or ""), _blocks(call)
    attachments = call.json("attachments", "invalid_attachments")
    if not text and not blocks and not attachments:
        raise ApiError("no_text")
    body: Json = {"text": _as_stored(text[:LONGEST_TEXT])}
    if blocks:
        check_blocks(blocks, "message")
        if size_of(blocks) > LARGEST_BLOCKS:
            raise ApiError("msg_blocks_too_long")
        body["blocks"] = with_ids(blocks)
    elif blocks is not None:
        body["blocks"] = []
    return body | ({"attachments": attachments} if attachments else {})


def author(call: Call) -> Json:
    """Return the fields that say which app speaks."""
    install = call.caller
    name = call.world.users[install.bot_user].real_name
    profile: Json = {"id": install.bot_id, "app_id": install.app_id, "name": name, "team_id": install.team}
    body: Json = {"user": install.bot_user, "bot_id": install.bot_id, "app_id": install.app_id, "team": install.team}
    return body | {"bot_profile": {**profile, "deleted": False, "icons": {}}}


def own_message(call: Call, channel: Channel, refusal: str) -> Message:
    """Return the message that a call names, when the app wrote it.

    Raises:
        ApiError: `message_not_found`, or the refusal for somebody else's message.
    """
    message = talk.find_message(call.world, channel.id, call.need("ts", "message_not_found"))
    if message is None:
        raise ApiError("message_not_found")
    if message.body.get("bot_id") != call.caller.bot_id:
        raise ApiError(refusal)
    return message


def _blocks(call: Call) -> list[Json] | None:
    """Return the blocks of a call; `markdown_text` is one markdown block."""
    blocks = call.json("blocks", "invalid_blocks_format")
    markdown = call.words("markdown_text")
    if markdown is None:
        if blocks is not None and not isinstance(blocks, list):
            raise ApiError("invalid_blocks_format")
        return blocks
    if blocks or call.words("text"):
        raise ApiError("markdown_text_conflict")
    if len(markdown) > _LONGEST_MARKDOWN:
        raise ApiError("msg_too_long")
    return [{"type": "markdown", "text": markdown}]


def _metadata(call: Call) -> Json | None:
    metadata = call.json("metadata", "invalid_metadata_format")
    if metadata is None:
        return None
    if not isinstance(metadata, dict) or not {"event_type", "event_payload"} <= metadata.keys():
        raise ApiError("invalid_metadata_format")
    return metadata


def _may_write_from_outside(call: Call, channel: Channel) -> bool:
    return channel.kind == "channel" and "chat:write.public" in call.caller.scopes


def _with_thread(call: Call, channel: Channel, body: Json) -> Json:
    thread = call.words("thread_ts")
    if not thread:
        return body
    parent = talk.find_message(call.world, channel.id, thread)
    if parent is None:
        raise ApiError("thread_not_found")
    body["thread_ts"] = parent.root
    return body | ({"subtype": "thread_broadcast"} if call.flag("reply_broadcast") else {})


def _as_stored(text: str) -> str:
    """Return the text as Slack keeps it: a lone `&` becomes an entity."""
    parts = text.split("&")
    kept = [part if part.startswith(("amp;", "lt;", "gt;")) else f"amp;{part}" for part in parts[1:]]
    return "&".join([parts[0], *kept])


def _posted(call: Call, channel: Channel, message: Message) -> Json:
    return {"ok": True, "channel": channel.id, "ts": message.ts, "message": talk.as_json(call.world, message)}


def _post_scheduled(call: Call, channel: Channel, name: str) -> None:
    planned = call.world.scheduled.pop(name, None)
    if planned:
        talk.post(call.world, channel, planned["body"])


METHODS: dict[str, Method] = {
    "chat.postMessage": post_message,
    "chat.postEphemeral": post_ephemeral,
    "chat.update": update,
    "chat.delete": delete,
    "chat.getPermalink": get_permalink,
    "chat.scheduleMessage": schedule,
    "chat.deleteScheduledMessage": unschedule,
}
