"""The user groups of a workspace by name, so that nobody has to type an id."""

from __future__ import annotations

from collections.abc import Mapping

from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call


def groups_of(desk: Desk, workspace: str) -> Mapping[str, str]:
    """Return each user group's handle by its id; none where Slack does not tell."""
    known = desk.told.handles.get(workspace, desk.clock())
    if known is not None:
        return known
    try:
        told = call(desk.at(workspace).client.usergroups_list)
    except (RefusedError, NotNowError):  # no scope usergroups:read, or Slack is busy
        return {}
    handles = {str(group["id"]): f"@{group.get('handle') or group.get('name')}" for group in told["usergroups"]}
    return desk.told.handles.keep(workspace, handles, desk.clock())
