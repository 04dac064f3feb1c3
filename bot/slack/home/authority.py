"""Who may change what concerns more than a thread: admins of the workspace, and the leads that the operator names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call


def may_administer(desk: Desk, workspace: str, person: str) -> bool:
    """Say whether a person may change settings of a workspace; when Slack does not tell, only leads may."""
    if person in desk.leads:
        return True
    known = desk.told.admins.get((workspace, person), desk.clock())
    if known is not None:
        return known
    try:
        told = call(lambda: desk.at(workspace).client.users_info(user=person))["user"]
    except (RefusedError, NotNowError):  # no scope users:read, or Slack is busy
        return False
    return desk.told.admins.keep((workspace, person), _is_admin(told, workspace), desk.clock())


def _is_admin(told: Mapping[str, Any], workspace: str) -> bool:
    """Say whether a user object is an admin's; one of another company in a shared channel never is."""
    is_ours = told.get("team_id") in {None, workspace} or bool(told.get("enterprise_user"))
    return is_ours and bool(told.get("is_admin") or told.get("is_owner"))
