"""`users.*`: the people of the team."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.state import rooms
from bot.workspace.wire import ApiError, Json


def info(call: Call) -> Json:
    """Return one user."""
    user = call.world.users.get(call.need("user", "user_not_found"))
    if user is None or user.team != call.caller.team:
        raise ApiError("user_not_found")
    return {"ok": True, "user": _shown(call, user.as_json())}


def list_users(call: Call) -> Json:
    """Return the users, a page at a time."""
    here = [_shown(call, user.as_json()) for user in call.world.users.values() if user.team == call.caller.team]
    return call.page(here, "members")


def lookup_by_email(call: Call) -> Json:
    """Return the user with that address."""
    email = call.need("email", "users_not_found")
    for user in call.world.users.values():
        if user.email == email and user.team == call.caller.team:
            return {"ok": True, "user": user.as_json()}
    raise ApiError("users_not_found")


def conversations(call: Call) -> Json:
    """Return the channels that a user, or the app itself, is in."""
    member = call.words("user") or call.caller.bot_user
    kinds = rooms.kinds_of(call.words("types"))
    found = [
        rooms.as_json(channel, member)
        for channel in call.world.channels.values()
        if channel.team == call.caller.team and member in channel.members and channel.kind in kinds
    ]
    return call.page(found, "channels")


def _shown(call: Call, user: Json) -> Json:
    """Return the user without the address when the scope for it is missing."""
    if "users:read.email" not in call.caller.scopes:
        user["profile"].pop("email", None)
    return user


METHODS: dict[str, Method] = {
    "users.info": info,
    "users.list": list_users,
    "users.lookupByEmail": lookup_by_email,
    "users.conversations": conversations,
}
