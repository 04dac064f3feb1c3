"""`blocks.*`: whether Slack would take some blocks."""

from __future__ import annotations

from bot.workspace.limits import check_blocks
from bot.workspace.rig import Call, Method
from bot.workspace.wire import Json


def validate(call: Call) -> Json:
    """Refuse the blocks of a message that Slack would refuse."""
    check_blocks(call.json("blocks", "invalid_blocks_format"), "message")
    return {"ok": True}


METHODS: dict[str, Method] = {"blocks.validate": validate}
