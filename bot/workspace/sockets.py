"""Socket Mode: WebSockets that the app opened, envelopes that travel on any of them, acknowledgements."""

from __future__ import annotations

import asyncio
import json
import secrets
import uuid
from dataclasses import dataclass, field
from typing import Literal

from aiohttp import WSMsgType, web

from bot.workspace.carrying import Answer, Attempt, Kind
from bot.workspace.rig import Rig
from bot.workspace.wire import Json, fresh_id

Farewell = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]

_MOST_SOCKETS = 10
_CONNECTION_SECONDS = 18_060


@dataclass(slots=True)
class SocketHub:
    """The open sockets of the app and the envelopes that wait for an acknowledgement."""

    rig: Rig
    ack_seconds: float
    sockets: list[web.WebSocketResponse] = field(default_factory=list[web.WebSocketResponse])
    transports: dict[web.WebSocketResponse, asyncio.BaseTransport | None] = field(
        default_factory=dict[web.WebSocketResponse, "asyncio.BaseTransport | None"]
    )
    addresses: set[str] = field(default_factory=set[str])
    waiting: dict[str, asyncio.Future[object]] = field(default_factory=dict[str, "asyncio.Future[object]"])
    carriers: dict[str, web.WebSocketResponse] = field(default_factory=dict[str, web.WebSocketResponse])

    def new_address(self) -> str:
        """Return a single-use address to connect to."""
        ticket = fresh_id("", 20).lower()
        self.addresses.add(ticket)
        return f"{self.rig.base.replace('http', 'ws', 1)}/link/{ticket}?app_id={self.rig.app.id}"

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one socket until either side closes it."""
        ticket = request.match_info["ticket"]
        if ticket not in self.addresses:
            raise web.HTTPNotFound(text="This address was used before or never given out.")
        self.addresses.discard(ticket)
        socket = web.WebSocketResponse(max_msg_size=1 << 24)
        await socket.prepare(request)
        if len(self.sockets) >= _MOST_SOCKETS:
            await socket.send_json({"type": "disconnect", "reason": "too_many_websockets"})
            await socket.close()
            return socket
        self.sockets.append(socket)
        self.transports[socket] = request.transport
        self.rig.world.show("app")
        try:
            await socket.send_json(self._hello())
            await self._listen(socket)
        finally:
            self._lose(socket)
        return socket

    async def carry(self, kind: Kind, payload: Json, attempt: Attempt) -> Answer:
        """Send an envelope on any socket, and wait for its acknowledgement."""
        if not self.sockets:
            return Answer(is_ok=False, reason="connection_failed")
        socket, name = secrets.choice(self.sockets), str(uuid.uuid4())
        ack: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.waiting[name], self.carriers[name] = ack, socket
        try:
            async with asyncio.timeout(self.ack_seconds):
                await socket.send_json(_envelope(name, kind, payload, attempt))
                return Answer(is_ok=True, payload=await ack)
        except TimeoutError:
            return Answer(is_ok=False, reason="timeout")
        except ConnectionError:
            self._forget(socket)
            return Answer(is_ok=False, reason="connection_failed")
        finally:
            del self.waiting[name], self.carriers[name]

    async def say_farewell(self, reason: Farewell) -> int:
        """Tell every socket to reconnect, and close them unless it is only a warning; returns how many."""
        told = list(self.sockets)
        for socket in told:
            await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "local"}})
            if reason != "warning":
                self._forget(socket)
                await socket.close()
        return len(told)

    def cut(self) -> int:
        """Drop every socket without a word, as a broken network does; returns how many."""
        cut = list(self.sockets)
        for socket in cut:
            transport = self.transports.get(socket)
            self._lose(socket)
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()
        return len(cut)

    async def close(self) -> None:
        """Close every socket."""
        for socket in list(self.sockets):
            self._forget(socket)
            await socket.close()

    def _hello(self) -> Json:
        debug: Json = {"host": "local", "build_number": 1, "approximate_connection_time": _CONNECTION_SECONDS}
        info: Json = {"app_id": self.rig.app.id}
        return {"type": "hello", "num_connections": len(self.sockets), "debug_info": debug, "connection_info": info}

    async def _listen(self, socket: web.WebSocketResponse) -> None:
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                self._take_ack(message.data)

    def _take_ack(self, text: str) -> None:
        try:
            said = json.loads(text)
        except ValueError:
            return
        ack = self.waiting.get(str(said.get("envelope_id"))) if isinstance(said, dict) else None
        if ack is not None and not ack.done():
            ack.set_result(said.get("payload"))

    def _lose(self, socket: web.WebSocketResponse) -> None:
        """Forget a socket that went without a farewell; what it carried is not waited for any longer."""
        if socket not in self.sockets:
            return
        self._forget(socket)
        for name, carrier in self.carriers.items():
            if carrier is socket and not self.waiting[name].done():
                self.waiting[name].set_exception(ConnectionResetError("the socket is gone"))

    def _forget(self, socket: web.WebSocketResponse) -> None:
        if socket in self.sockets:
            self.sockets.remove(socket)
            del self.transports[socket]
            self.rig.world.show("app")


def _envelope(name: str, kind: Kind, payload: Json, attempt: Attempt) -> Json:
    envelope: Json = {"envelope_id": name, "type": kind, "payload": payload}
    envelope["accepts_response_payload"] = kind != "events_api"
    if kind == "events_api":
        envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
    return envelope
