"""`bots.*`: which app speaks as which bot."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.wire import ApiError, Json


def info(call: Call) -> Json:
    """Return the bot with that id."""
    wanted = call.words("bot") or call.caller.bot_id
    for user in call.world.users.values():
        if user.bot_id == wanted and user.team == call.caller.team:
            bot: Json = {"id": wanted, "app_id": call.caller.app_id, "user_id": user.id, "name": user.real_name}
            return {"ok": True, "bot": {**bot, "deleted": False, "icons": {}}}
    raise ApiError("bot_not_found")


METHODS: dict[str, Method] = {"bots.info": info}
