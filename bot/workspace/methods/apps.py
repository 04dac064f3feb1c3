"""`apps.*`: where a Socket Mode client connects."""

from __future__ import annotations

from bot.workspace.rig import Call, Method
from bot.workspace.wire import Json


def connections_open(call: Call) -> Json:
    """Return a single-use WebSocket address."""
    return {"ok": True, "url": call.rig.new_socket_address()}


METHODS: dict[str, Method] = {"apps.connections.open": connections_open}
