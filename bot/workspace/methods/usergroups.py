"""`usergroups.*`: groups that can be mentioned."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.wire import ApiError, Json


def list_groups(call: Call) -> Json:
    """Return the team's user groups."""
    here = [group for group in call.world.usergroups.values() if group["team_id"] == call.caller.team]
    with_users = call.flag("include_users")
    return {"ok": True, "usergroups": here if with_users else [_without_users(group) for group in here]}


def list_members(call: Call) -> Json:
    """Return who is in a user group."""
    group = call.world.usergroups.get(call.need("usergroup", "no_such_subteam"))
    if group is None or group["team_id"] != call.caller.team:
        raise ApiError("no_such_subteam")
    return {"ok": True, "users": list(group["users"])}


def _without_users(group: Json) -> Json:
    return {name: value for name, value in group.items() if name != "users"}


METHODS: dict[str, Method] = {"usergroups.list": list_groups, "usergroups.users.list": list_members}
