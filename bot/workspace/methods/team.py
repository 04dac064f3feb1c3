"""`team.*`: the team of the token."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.wire import ApiError, Json


def info(call: Call) -> Json:
    """Return the team's name and domain."""
    wanted = call.words("team") or call.caller.team
    if wanted != call.caller.team:
        raise ApiError("team_not_found")
    team = call.world.teams[wanted]
    return {
        "ok": True,
        "team": {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "icon": {}},
    }


METHODS: dict[str, Method] = {"team.info": info}
