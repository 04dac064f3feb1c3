"""`oauth.*`: a code becomes a token, and a refresh token the next one."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.state.people import identity, install
from bot.workspace.state.records import Installation
from bot.workspace.wire import ApiError, Json, fresh_id

_TOKEN_SECONDS = 12 * 3600


def access(call: Call) -> Json:
    """Exchange a code, or a refresh token, for a bot token."""
    secret = (call.words("client_id"), call.words("client_secret"))
    if secret != (call.rig.app.client_id, call.rig.app.client_secret):
        raise ApiError("invalid_client_id" if secret[0] != call.rig.app.client_id else "bad_client_secret")
    if call.words("grant_type") == "refresh_token":
        return _refresh(call, call.need("refresh_token", "invalid_refresh_token"))
    team = call.rig.codes.pop(call.need("code", "invalid_code"), None)
    if team is None:
        raise ApiError("invalid_code")
    granted = call.world.installation_in(team) or install(
        call.world, team, f"xoxb-{fresh_id('', 24)}", identity(call.world)
    )
    return _grant(call, granted)


def _refresh(call: Call, token: str) -> Json:
    for old in list(call.world.installations.values()):
        if old.refresh_token == token:
            del call.world.installations[old.token]
            old.token, old.refresh_token = f"xoxe.xoxb-{fresh_id('', 24)}", f"xoxe-{fresh_id('', 24)}"
            call.world.installations[old.token] = old
            return _grant(call, old) | {"refresh_token": old.refresh_token, "expires_in": _TOKEN_SECONDS}
    raise ApiError("invalid_refresh_token")


def _grant(call: Call, granted: Installation) -> Json:
    team = call.world.teams[granted.team]
    return {
        "ok": True,
        "access_token": granted.token,
        "token_type": "bot",
        "scope": ",".join(sorted(granted.scopes)),
        "bot_user_id": granted.bot_user,
        "app_id": granted.app_id,
        "team": {"id": team.id, "name": team.name},
        "enterprise": None,
        "authed_user": {"id": next((each.id for each in call.world.users.values() if each.team == team.id), "")},
        "is_enterprise_install": False,
    }


METHODS: dict[str, Method] = {"oauth.v2.access": access}
