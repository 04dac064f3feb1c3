"""`chat.*Stream`: a message that grows while it is written."""

from __future__ import annotations

from bot.workspace.limits import check_blocks
from bot.workspace.methods.chat import author, own_message, writable
from bot.workspace.naming import with_ids
from bot.workspace.rig import Call, Method
from bot.workspace.state import talk
from bot.workspace.state.records import Channel, Message
from bot.workspace.wire import ApiError, Json


def start(call: Call) -> Json:
    """Start a message in a thread."""
    channel = writable(call)
    thread = call.need("thread_ts")
    if channel.kind != "im":
        call.need("recipient_user_id", "missing_recipient_user_id")
        call.need("recipient_team_id", "missing_recipient_team_id")
    parent = talk.find_message(call.world, channel.id, thread)
    if parent is None:
        raise ApiError("thread_not_found")
    body: Json = {"text": _added(call), "thread_ts": parent.root, "streaming_state": "in_progress"}
    message = talk.post(call.world, channel, body | author(call))
    call.world.streams.add(message.ts)
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def append(call: Call) -> Json:
    """Add to a message that is still growing."""
    channel, message = _growing(call)
    talk.edit(call.world, message, {"text": message.body["text"] + _added(call)})
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def stop(call: Call) -> Json:
    """Finish a message, with blocks below the text if wanted."""
    channel, message = _growing(call)
    changes: Json = {"text": message.body["text"] + _added(call), "streaming_state": "completed"}
    blocks = call.json("blocks", "invalid_blocks_format")
    if isinstance(blocks, list) and blocks:
        check_blocks(blocks, "message")
        changes["blocks"] = with_ids([{"type": "markdown", "text": changes["text"] or " "}, *blocks])
    call.world.streams.discard(message.ts)
    talk.edit(call.world, message, changes)
    return {"ok": True, "channel": channel.id, "ts": message.ts, "message": talk.as_json(call.world, message)}


def _growing(call: Call) -> tuple[Channel, Message]:
    channel = call.channel()
    message = own_message(call, channel, "message_not_owned_by_app")
    if message.ts not in call.world.streams:
        raise ApiError("message_not_in_streaming_state")
    return channel, message


def _added(call: Call) -> str:
    chunks = call.json("chunks")
    parts: list[Json] = chunks if isinstance(chunks, list) else []
    return (call.words("markdown_text") or "") + "".join(str(part.get("text") or "") for part in parts)


METHODS: dict[str, Method] = {"chat.startStream": start, "chat.appendStream": append, "chat.stopStream": stop}
