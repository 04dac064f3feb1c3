"""`reactions.*`: emoji on messages."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.state import talk
from bot.workspace.state.records import Channel, Message
from bot.workspace.wire import ApiError, Json


def add(call: Call) -> Json:
    """Add a reaction of the app."""
    _, message = _target(call)
    if not talk.react(call.world, message, _name(call), call.caller.bot_user):
        raise ApiError("already_reacted")
    return {"ok": True}


def remove(call: Call) -> Json:
    """Take a reaction of the app back."""
    _, message = _target(call)
    if not talk.unreact(call.world, message, _name(call), call.caller.bot_user):
        raise ApiError("no_reaction")
    return {"ok": True}


def get(call: Call) -> Json:
    """Return a message with its reactions."""
    channel, message = _target(call)
    return {"ok": True, "type": "message", "channel": channel.id, "message": talk.as_json(call.world, message)}


def _name(call: Call) -> str:
    name = call.need("name", "invalid_name").strip(":")
    if not name.replace("_", "").replace("-", "").replace("+", "").isalnum():
        raise ApiError("invalid_name")
    return name


def _target(call: Call) -> tuple[Channel, Message]:
    channel = call.channel()
    if channel.is_archived:
        raise ApiError("is_archived")
    message = talk.find_message(call.world, channel.id, call.need("timestamp", "no_item_specified"))
    if message is None:
        raise ApiError("message_not_found")
    if call.caller.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    return channel, message


METHODS: dict[str, Method] = {"reactions.add": add, "reactions.remove": remove, "reactions.get": get}
