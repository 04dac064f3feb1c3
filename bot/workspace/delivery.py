"""Events on their way to the app: who is told what, in which envelope, how often."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field

from bot.workspace.carrying import Answer, Attempt, Carrier, Kind
from bot.workspace.faults import Fault
from bot.workspace.http_carrier import HttpCarrier
from bot.workspace.rig import Rig
from bot.workspace.scopes import EVENT_SCOPES
from bot.workspace.sockets import SocketHub
from bot.workspace.state.records import Installation
from bot.workspace.wire import Json, fresh_id

_RETRY_WAITS = (0.0, 60.0, 300.0)
_MENTIONABLE = frozenset({None, "file_share", "thread_broadcast", "bot_message"})
_MENTION_FIELDS = ("user", "bot_id", "text", "ts", "thread_ts", "team", "blocks", "files", "client_msg_id", "channel")
_CHANNEL_FIELDS = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}


@dataclass(slots=True)
class Delivery:
    """Carries events and interactions to the app, over HTTP when it has a request URL, else over sockets."""

    rig: Rig
    hub: SocketHub
    http: HttpCarrier
    tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    sent: dict[str, Json] = field(default_factory=dict[str, Json])
    # The last call for the app, by channel without it.
    unheard: dict[str, Json] = field(default_factory=dict[str, Json])

    @property
    def carrier(self) -> Carrier:
        """The way to the app."""
        return self.http if self.rig.app.request_url else self.hub

    def on_event(self, team: str, event: Json) -> None:
        """Send an event to the app, if it is installed, subscribed and in the channel."""
        install = self.rig.world.installation_in(team)
        if install is None:
            return
        if self._hears(install, event):
            self._start(self._deliver(self._wrap(install, event)))
        if mention := self._mention(install, event):
            self._start(self._deliver(self._wrap(install, mention)))

    async def ask(self, kind: Kind, payload: Json) -> Answer:
        """Send an interaction or a command, once, and return what the app says."""
        started = time.perf_counter()
        answer = await self.carrier.carry(kind, payload, Attempt())
        self._note(kind, str(payload.get("type") or payload.get("command")), "", (Attempt(), answer, started))
        return answer

    def redeliver(self, event_id: str, number: int = 1, reason: str = "http_timeout") -> bool:
        """Send an event again with the same id; returns whether it was ever sent."""
        envelope = self.sent.get(event_id)
        if envelope:
            self._start(self._attempt_all(envelope, Attempt(number, reason)))
        return envelope is not None

    async def settle(self, seconds: float) -> bool:
        """Wait until every event was acknowledged or given up, those that come meanwhile too; returns whether that happened in time."""
        until = time.monotonic() + seconds
        while self.tasks and (left := until - time.monotonic()) > 0:
            await asyncio.wait(set(self.tasks), timeout=left)
        return not self.tasks

    async def close(self) -> None:
        """Give up what is still on its way."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.http.close()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _deliver(self, envelope: Json) -> None:
        self.sent[envelope["event_id"]] = envelope
        kind = envelope["event"]["type"]
        if hold := self.rig.faults.take(kind, frozenset({"hold"})):
            await asyncio.sleep(hold.seconds)
        if self.rig.faults.take(kind, frozenset({"duplicate"})):
            self._start(self._attempt_all(envelope, Attempt()))
        await self._attempt_all(envelope, Attempt())

    async def _attempt_all(self, envelope: Json, first: Attempt) -> None:
        attempt = first
        for wait in (*_RETRY_WAITS[first.number :], None):
            answer = await self._attempt(envelope, attempt)
            if answer.is_ok or answer.no_retry or wait is None:
                return
            await self.rig.clock.wait(wait)
            attempt = Attempt(attempt.number + 1, answer.reason)

    async def _attempt(self, envelope: Json, attempt: Attempt) -> Answer:
        started, kind = time.perf_counter(), envelope["event"]["type"]
        answer = await self.carrier.carry("events_api", envelope, attempt)
        lost: Fault | None = self.rig.faults.take(kind, frozenset({"no_ack"}))
        if lost:
            answer = Answer(is_ok=False, reason="timeout" if self.carrier is self.hub else "http_timeout")
        self._note("events_api", kind, envelope["event_id"], (attempt, answer, started))
        return answer

    def _note(self, kind: str, name: str, event_id: str, what: tuple[Attempt, Answer, float]) -> None:
        attempt, answer, started = what
        took = round((time.perf_counter() - started) * 1000, 1)
        entry: Json = {"kind": kind, "type": name, "event_id": event_id, "attempt": attempt.number, "ms": took}
        self.rig.deliveries.append(entry | {"is_ok": answer.is_ok, "reason": answer.reason})

    def _hears(self, install: Installation, event: Json) -> bool:
        kind = event["type"]
        name = _CHANNEL_FIELDS[event["channel_type"]] if kind == "message" else kind
        if name not in self.rig.app.events:
            return False
        scope = EVENT_SCOPES.get(name)
        return (scope is None or scope in install.scopes) and self._is_inside(install, event)

    def _is_inside(self, install: Installation, event: Json) -> bool:
        """Return whether the app is in the channel that the event tells of."""
        where = event.get("channel") or event.get("item", {}).get("channel")
        channel = self.rig.world.channels.get(str(where))
        if channel is None or event["type"] == "app_home_opened":
            return True
        return install.bot_user in channel.members or event.get("user") == install.bot_user

    def _mention(self, install: Installation, event: Json) -> Json | None:
        """Return the `app_mention` that goes with a message; where the app is no member it comes with its invitation."""
        if event["type"] == "member_joined_channel" and event["user"] == install.bot_user:
            return self.unheard.pop(event["channel"], None)
        is_message = event["type"] == "message" and event.get("subtype") in _MENTIONABLE
        if not is_message or f"<@{install.bot_user}>" not in event.get("text", ""):
            return None
        channel = self.rig.world.channels[event["channel"]]
        if channel.kind == "im" or event.get("user") == install.bot_user:
            return None
        if "app_mention" not in self.rig.app.events or "app_mentions:read" not in install.scopes:
            return None
        kept = {name: event[name] for name in _MENTION_FIELDS if name in event}
        mention: Json = {"type": "app_mention", **kept, "event_ts": event["event_ts"]}
        if install.bot_user in channel.members:
            return mention
        self.unheard[channel.id] = mention
        return None

    def _wrap(self, install: Installation, event: Json) -> Json:
        channel = self.rig.world.channels.get(str(event.get("channel")))
        granted: Json = {"enterprise_id": None, "team_id": install.team, "user_id": install.bot_user}
        return {
            "token": self.rig.app.verification_token,
            "team_id": install.team,
            "context_team_id": install.team,
            "context_enterprise_id": None,
            "api_app_id": install.app_id,
            "event": event,
            "type": "event_callback",
            "event_id": fresh_id("Ev"),
            "event_time": int(self.rig.clock.now()),
            "authorizations": [{**granted, "is_bot": True, "is_enterprise_install": False}],
            "is_ext_shared_channel": channel is not None and channel.is_shared,
            "event_context": fresh_id("4-", 40),
        }
