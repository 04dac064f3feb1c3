"""Going about: joining, inviting, making channels, opening direct messages and the Home tab."""

from __future__ import annotations

from bot.workspace.stage import Ask
from bot.workspace.state import people, rooms
from bot.workspace.state.records import ChannelKind, User
from bot.workspace.state.screens import as_json as view_json
from bot.workspace.wire import ApiError, Json, fresh_id


async def join(ask: Ask) -> Json:
    """Join a public channel."""
    return {"ok": True, "joined": rooms.join(ask.world, ask.channel, ask.user.id)}


async def invite(ask: Ask) -> Json:
    """Invite somebody (`guest`; the app by default) into a channel."""
    guest = _guest(ask)
    return {"ok": True, "joined": rooms.join(ask.world, ask.channel, guest, ask.user.id)}


async def remove(ask: Ask) -> Json:
    """Take somebody (`guest`; the app by default) out of a channel."""
    rooms.leave(ask.world, ask.channel, _guest(ask))
    return {"ok": True}


async def create(ask: Ask) -> Json:
    """Make a channel: `private`, or `shared` with another company, if wanted."""
    kind: ChannelKind = "group" if ask.given.get("private") else "channel"
    name = ask.need("name").strip().removeprefix("#").lower().replace(" ", "-")
    if rooms.find_channel(ask.world, ask.user.team, name):
        raise ApiError("name_taken", f"There is a channel #{name} already.")
    channel = rooms.open_channel(ask.world, ask.user.team, name, [ask.user.id], kind=kind)
    channel.is_shared = bool(ask.given.get("shared"))
    return {"ok": True, "channel": channel.id}


async def archive(ask: Ask) -> Json:
    """Archive a channel, or bring it back."""
    channel = ask.channel
    channel.is_archived = not ask.given.get("undo")
    ask.world.show("channels")
    return {"ok": True, "archived": channel.is_archived}


async def open_direct(ask: Ask) -> Json:
    """Open the direct message with the app."""
    channel = rooms.direct_channel(ask.world, ask.user.team, ask.user.id, ask.install.bot_user)
    _announce_home(ask, "messages", channel.id)
    return {"ok": True, "channel": channel.id}


async def open_home(ask: Ask) -> Json:
    """Open the app's Home tab."""
    channel = rooms.direct_channel(ask.world, ask.user.team, ask.user.id, ask.install.bot_user)
    _announce_home(ask, "home", channel.id)
    return {"ok": True}


async def hire(ask: Ask) -> Json:
    """Add a person to the team."""
    name = ask.need("name")
    person = User(fresh_id("U"), ask.team, name, ask.words("real_name") or name.title(), f"{name}@example.com")
    people.hire(ask.world, person)
    ask.world.show("channels")
    return {"ok": True, "user": person.id}


async def form_group(ask: Ask) -> Json:
    """Make a user group."""
    group = people.form_group(ask.world, ask.team, ask.need("name"), list(ask.given.get("members", [])))
    return {"ok": True, "group": group["id"]}


def _guest(ask: Ask) -> str:
    wanted = ask.words("guest")
    found = people.find_user(ask.world, ask.user.team, wanted) if wanted else None
    if wanted and found is None:
        raise ApiError("user_not_found", f"Nobody here is called {wanted!r}.")
    return found.id if found else ask.install.bot_user


def _announce_home(ask: Ask, tab: str, channel: str) -> None:
    """Announce that somebody looks at the app; the event carries the view that is there already."""
    event: Json = {"type": "app_home_opened", "user": ask.user.id, "channel": channel, "tab": tab}
    event["event_ts"] = ask.world.next_ts()
    home = ask.world.homes.get(ask.user.id)
    if home and tab == "home":
        event["view"] = view_json(home)
    ask.world.announce(ask.user.team, event)
