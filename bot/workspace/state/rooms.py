"""Channels and direct messages, and who is in them."""

from __future__ import annotations

from bot.workspace.state.records import Channel, ChannelKind
from bot.workspace.state.world import World
from bot.workspace.wire import Json, steady_id

_PREFIXES: dict[ChannelKind, str] = {"channel": "C", "group": "C", "im": "D"}


def open_channel(world: World, team: str, name: str, members: list[str], *, kind: ChannelKind = "channel") -> Channel:
    """Add a channel with its first members, without announcing them."""
    names = [name] if name else sorted(members)
    channel = Channel(steady_id(_PREFIXES[kind], team, *names), team, name, kind, list(members))
    channel.created = int(world.clock.now())
    channel.creator = members[0] if members else ""
    world.channels[channel.id] = channel
    world.messages[channel.id] = {}
    world.show("channels")
    return channel


def direct_channel(world: World, team: str, one: str, other: str) -> Channel:
    """Return the direct message between two users, opened when it is the first."""
    for channel in world.channels.values():
        if channel.kind == "im" and channel.team == team and set(channel.members) == {one, other}:
            return channel
    return open_channel(world, team, "", [one, other], kind="im")


def find_channel(world: World, team: str, wanted: str) -> Channel | None:
    """Return a channel of the team by id or by name."""
    channel = world.channels.get(wanted)
    if channel and channel.team == team:
        return channel
    name = wanted.removeprefix("#")
    named = (each for each in world.channels.values() if each.team == team and each.name == name and name)
    return next(named, None)


def join(world: World, channel: Channel, user: str, inviter: str | None = None) -> bool:
    """Let a user into a channel; returns whether the user was not in it before."""
    if user in channel.members:
        return False
    channel.members.append(user)
    event: Json = {"type": "member_joined_channel", "user": user, "channel": channel.id}
    event |= {"channel_type": channel.id[0], "team": channel.team, "event_ts": world.next_ts()}
    world.announce(channel.team, event | ({"inviter": inviter} if inviter else {}))
    world.show("channels")
    return True


def leave(world: World, channel: Channel, user: str) -> None:
    """Take a user out of a channel."""
    if user not in channel.members:
        return
    channel.members.remove(user)
    event: Json = {"type": "member_left_channel", "user": user, "channel": channel.id}
    event |= {"channel_type": channel.id[0], "team": channel.team, "event_ts": world.next_ts()}
    world.announce(channel.team, event)
    world.show("channels")


def as_json(channel: Channel, viewer: str | None = None) -> Json:
    """Return the conversation object of `conversations.info`, as one member sees it."""
    body: Json = {
        "id": channel.id,
        "created": channel.created,
        "is_archived": channel.is_archived,
        "is_im": channel.kind == "im",
        "is_org_shared": False,
        "context_team_id": channel.team,
    }
    if channel.kind == "im":
        return body | {"user": next((each for each in channel.members if each != viewer), viewer)}
    return body | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_private": channel.kind == "group",
        "is_mpim": False,
        "is_member": viewer in channel.members,
        "is_general": channel.name == "general",
        **_about(channel),
    }


def _about(channel: Channel) -> Json:
    """Return what a channel says of itself, whoever asks."""
    return {
        "is_shared": channel.is_shared,
        "is_ext_shared": channel.is_shared,
        "creator": channel.creator,
        "topic": {"value": channel.topic, "creator": channel.creator, "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "num_members": len(channel.members),
    }


def kinds_of(types: str | None) -> frozenset[ChannelKind]:
    """Return the channel kinds that a `types` argument asks for (public ones by default)."""
    asked = (types or "public_channel").replace(" ", "").split(",")
    names: dict[str, ChannelKind] = {"public_channel": "channel", "private_channel": "group", "im": "im"}
    return frozenset(names[each] for each in asked if each in names)
