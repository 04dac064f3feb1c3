"""Messages: posting, editing, deleting, reacting, and reading them back."""

from __future__ import annotations

from bot.workspace.state.records import Channel, Message
from bot.workspace.state.world import World
from bot.workspace.wire import Json


def post(world: World, channel: Channel, body: Json, metadata: Json | None = None) -> Message:
    """Add a message to a channel, seen by all who are in it."""
    message = Message(channel.id, world.next_ts(), {"type": "message", **body}, metadata)
    message.body["ts"] = message.ts
    if message.root != message.ts:
        world.threads.setdefault((channel.id, message.root), []).append(message)
    root = _parent_of(world, message)
    if root is not None:
        message.body["parent_user_id"] = root.body.get("user", "")
        root.body.setdefault("thread_ts", root.ts)
        _clear_status(world, message)
    world.messages[channel.id][message.ts] = message
    world.announce(channel.team, _event(channel, message.body, message.ts))
    world.show("messages", channel=channel.id)
    return message


def whisper(world: World, channel: Channel, body: Json, seen_by: str) -> Message:
    """Show a message to one user only: it is in no history and no event tells of it."""
    message = Message(channel.id, world.next_ts(), {"type": "message", **body, "is_ephemeral": True}, None, seen_by)
    message.body["ts"] = message.ts
    world.ephemerals.append(message)
    world.show("messages", channel=channel.id)
    return message


def edit(world: World, message: Message, changes: Json, editor: str | None = None) -> None:
    """Change a message and tell of it as `message_changed`; without an editor the text stays (an unfurl)."""
    channel, before = world.channels[message.channel], dict(message.body)
    message.body = {**message.body, **changes}
    now = world.next_ts()
    if editor is not None:
        message.body["edited"] = {"user": editor, "ts": now}
    event: Json = {"subtype": "message_changed", "hidden": True, "ts": now}
    event |= {"message": _complete(channel, message.body), "previous_message": before}
    world.announce(channel.team, _event(channel, event, now))
    world.show("messages", channel=channel.id)


def delete(world: World, message: Message) -> None:
    """Take a message away; a parent that has replies stays as a tombstone."""
    channel = world.channels[message.channel]
    event: Json = {"subtype": "message_deleted", "hidden": True, "deleted_ts": message.ts}
    event |= {"previous_message": message.body, "ts": world.next_ts()}
    if replies(world, message):
        message.body = {
            "type": "message",
            "subtype": "tombstone",
            "text": "This message was deleted.",
            "user": "USLACKBOT",
            "hidden": True,
            "ts": message.ts,
            "thread_ts": message.ts,
        }
        message.reactions.clear()
    else:
        _forget(world, channel, message)
    world.announce(channel.team, _event(channel, event, event["ts"]))
    world.show("messages", channel=channel.id)


def forget_whisper(world: World, message: Message) -> None:
    """Take an ephemeral message away from the one who saw it."""
    world.ephemerals = [each for each in world.ephemerals if each is not message]
    world.show("messages", channel=message.channel)


def react(world: World, message: Message, name: str, user: str) -> bool:
    """Add a reaction; returns whether it was not there yet."""
    users = message.reactions.setdefault(name, [])
    if user in users:
        return False
    users.append(user)
    _tell_reaction(world, message, ("reaction_added", name, user))
    return True


def unreact(world: World, message: Message, name: str, user: str) -> bool:
    """Take a reaction back; returns whether it was there."""
    users = message.reactions.get(name, [])
    if user not in users:
        return False
    users.remove(user)
    if not users:
        del message.reactions[name]
    _tell_reaction(world, message, ("reaction_removed", name, user))
    return True


def replies(world: World, root: Message) -> list[Message]:
    """Return the replies of a thread, oldest first."""
    return list(world.threads.get((root.channel, root.ts), ()))


def find_message(world: World, channel: str, ts: str) -> Message | None:
    """Return a message by its timestamp."""
    return world.messages.get(channel, {}).get(ts)


def as_json(world: World, message: Message, with_metadata: bool = False) -> Json:
    """Return the message object of `conversations.history`."""
    body = dict(message.body)
    if message.reactions:
        body["reactions"] = [
            {"name": name, "users": list(users), "count": len(users)} for name, users in message.reactions.items()
        ]
    if message.root == message.ts and (answers := replies(world, message)):
        writers = list(dict.fromkeys(each.body.get("user", "") for each in answers))
        body |= {"thread_ts": message.ts, "reply_count": len(answers), "reply_users": writers}
        body |= {"reply_users_count": len(writers), "latest_reply": answers[-1].ts, "subscribed": False}
    if with_metadata and message.metadata:
        body["metadata"] = message.metadata
    return body


def _forget(world: World, channel: Channel, message: Message) -> None:
    """Take a message out of its channel and its thread."""
    world.messages[channel.id].pop(message.ts, None)
    thread = world.threads.get((channel.id, message.root), [])
    if message in thread:
        thread.remove(message)


def _parent_of(world: World, message: Message) -> Message | None:
    """Return the parent of a reply, or nothing when the message starts a thread."""
    return find_message(world, message.channel, message.root) if message.root != message.ts else None


def _clear_status(world: World, reply: Message) -> None:
    """Take the app's status away once the app has answered in that thread."""
    if reply.body.get("bot_id") and world.statuses.pop((reply.channel, reply.root), None):
        world.show("status", channel=reply.channel)


def _complete(channel: Channel, body: Json) -> Json:
    """Return the inner message of `message_changed`, which names its teams."""
    return {**body, "source_team": channel.team, "user_team": channel.team}


def _event(channel: Channel, body: Json, ts: str) -> Json:
    """Return the message event of a body in its channel."""
    return {"type": "message", **body, "channel": channel.id, "channel_type": channel.kind, "event_ts": ts}


def _tell_reaction(world: World, message: Message, what: tuple[str, str, str]) -> None:
    """Announce a reaction that came or went."""
    (kind, name, user), channel = what, world.channels[message.channel]
    item: Json = {"type": "message", "channel": channel.id, "ts": message.ts}
    event: Json = {"type": kind, "user": user, "reaction": name, "item": item, "event_ts": world.next_ts()}
    world.announce(channel.team, event | {"item_user": message.body.get("user", "")})
    world.show("messages", channel=channel.id)
