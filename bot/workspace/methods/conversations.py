"""`conversations.*`: channels, who is in them, and what was said."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.state import people, rooms, talk
from bot.workspace.state.records import Channel, Message
from bot.workspace.wire import ApiError, Json


def info(call: Call) -> Json:
    """Return one channel."""
    return {"ok": True, "channel": rooms.as_json(call.channel(), call.caller.bot_user)}


def list_channels(call: Call) -> Json:
    """Return the channels that the app may see, a page at a time."""
    me, kinds = call.caller.bot_user, rooms.kinds_of(call.words("types"))
    seen = [
        rooms.as_json(channel, me)
        for channel in call.world.channels.values()
        if channel.team == call.caller.team
        and channel.kind in kinds
        and (channel.kind == "channel" or me in channel.members)
        and not (call.flag("exclude_archived") and channel.is_archived)
    ]
    return call.page(seen, "channels")


def history(call: Call) -> Json:
    """Return the top-level messages between two timestamps, newest first."""
    channel = _inside(call)
    here = call.world.messages[channel.id].values()
    shown = [each for each in here if each.root == each.ts or each.body.get("subtype") == "thread_broadcast"]
    return _paged(call, [*reversed(_between(call, shown))], 100)


def replies(call: Call) -> Json:
    """Return a thread with its parent, oldest first."""
    channel = _inside(call)
    asked = talk.find_message(call.world, channel.id, call.need("ts", "thread_not_found"))
    if asked is None:
        raise ApiError("thread_not_found")
    root = talk.find_message(call.world, channel.id, asked.root)
    thread = talk.replies(call.world, root) if root else []
    return _paged(call, [*([root] if root else []), *_between(call, thread)], 1000)


def members(call: Call) -> Json:
    """Return who is in a channel."""
    channel = call.channel()
    start = call.number("cursor", 0) if call.words("cursor") else 0
    end = start + max(1, call.number("limit", 100))
    more = str(end) if end < len(channel.members) else ""
    return {"ok": True, "members": channel.members[start:end], "response_metadata": {"next_cursor": more}}


def open_direct(call: Call) -> Json:
    """Open the direct message with a user."""
    if wanted := call.words("channel"):
        return {"ok": True, "channel": {"id": call.channel().id if wanted else ""}}
    names = call.need("users", "users_list_not_supplied").split(",")
    user = people.find_user(call.world, call.caller.team, names[0])
    if user is None or len(names) > 1:
        raise ApiError("user_not_found" if user is None else "not_enough_users")
    channel = rooms.direct_channel(call.world, call.caller.team, call.caller.bot_user, user.id)
    found = rooms.as_json(channel, call.caller.bot_user) if call.flag("return_im") else {"id": channel.id}
    return {"ok": True, "no_op": False, "already_open": False, "channel": found}


def join(call: Call) -> Json:
    """Let the app into a public channel."""
    channel = call.channel()
    if channel.kind != "channel":
        raise ApiError("method_not_supported_for_channel_type")
    if channel.is_archived:
        raise ApiError("is_archived")
    is_new = rooms.join(call.world, channel, call.caller.bot_user)
    body: Json = {"ok": True, "channel": rooms.as_json(channel, call.caller.bot_user)}
    return body if is_new else body | {"warning": "already_in_channel"}


def leave(call: Call) -> Json:
    """Take the app out of a channel."""
    rooms.leave(call.world, call.channel(), call.caller.bot_user)
    return {"ok": True}


def _inside(call: Call) -> Channel:
    """Return the channel when the app may read its history."""
    channel = call.channel()
    wanted = {"channel": "channels:history", "group": "groups:history", "im": "im:history"}[channel.kind]
    if wanted not in call.caller.scopes:
        raise ApiError("missing_scope", needed=wanted, provided=",".join(sorted(call.caller.scopes)))
    if call.caller.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    return channel


def _between(call: Call, messages: list[Message]) -> list[Message]:
    oldest, latest = float(call.words("oldest") or 0), float(call.words("latest") or "inf")
    if call.flag("inclusive"):
        return [each for each in messages if oldest <= float(each.ts) <= latest]
    return [each for each in messages if oldest < float(each.ts) < latest]


def _paged(call: Call, messages: list[Message], default: int) -> Json:
    with_metadata = call.flag("include_all_metadata")
    page = call.page([{"of": each} for each in messages], "messages", default)
    page["messages"] = [talk.as_json(call.world, each["of"], with_metadata) for each in page["messages"]]
    return page | {"has_more": bool(page["response_metadata"]["next_cursor"])}


METHODS: dict[str, Method] = {
    "conversations.info": info,
    "conversations.list": list_channels,
    "conversations.history": history,
    "conversations.replies": replies,
    "conversations.members": members,
    "conversations.open": open_direct,
    "conversations.join": join,
    "conversations.leave": leave,
}
