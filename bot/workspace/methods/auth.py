"""`auth.*` and `api.*`: whose token this is, and whether anybody listens."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.wire import Json


def test(call: Call) -> Json:
    """Return the team and the bot user of the token."""
    install = call.caller
    team, bot = call.world.teams[install.team], call.world.users[install.bot_user]
    return {
        "ok": True,
        "url": f"{call.rig.base}/",
        "team": team.name,
        "user": bot.name,
        "team_id": team.id,
        "user_id": bot.id,
        "bot_id": install.bot_id,
        "is_enterprise_install": False,
    }


def revoke(call: Call) -> Json:
    """Take the token back."""
    if not call.flag("test"):
        call.world.installations.pop(call.caller.token, None)
    return {"ok": True, "revoked": not call.flag("test")}


def api_test(call: Call) -> Json:
    """Return the arguments."""
    return {"ok": True, "args": dict(call.args)}


METHODS: dict[str, Method] = {"auth.test": test, "auth.revoke": revoke, "api.test": api_test}
