"""The parts of a running stand-in, held together so that methods, deliveries and the driver can reach them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.workspace.clock import Clock
from bot.workspace.faults import Faults
from bot.workspace.rate import Rates
from bot.workspace.state import rooms
from bot.workspace.state.records import Channel, Installation
from bot.workspace.state.world import World
from bot.workspace.tickets import Tickets
from bot.workspace.wire import ApiError, Json


@dataclass(slots=True)
class AppFacts:
    """What the stand-in knows of the app: its manifest's names and its secrets."""

    id: str
    app_token: str
    signing_secret: str
    verification_token: str
    commands: list[Json]
    shortcuts: list[Json]
    events: frozenset[str]
    client_id: str = "1000.2000"
    client_secret: str = "local-client-secret"  # noqa: S105
    request_url: str | None = None


@dataclass(slots=True)
class Rig:
    """Everything that one running stand-in is made of."""

    world: World
    clock: Clock
    faults: Faults
    rates: Rates
    tickets: Tickets
    app: AppFacts
    base: str = ""
    calls: list[Json] = field(default_factory=list[Json])
    deliveries: list[Json] = field(default_factory=list[Json])
    message_values: dict[tuple[str, str], Json] = field(default_factory=dict[tuple[str, str], Json])
    codes: dict[str, str] = field(default_factory=dict[str, str])
    new_socket_address: Callable[[], str] = str
    later: Callable[[float, Callable[[], None]], None] = lambda _seconds, _work: None


@dataclass(slots=True)
class Call:
    """One Web API call: who calls what with which arguments."""

    rig: Rig
    method: str
    args: Json
    install: Installation | None

    @property
    def world(self) -> World:
        """The state that the call reads and changes."""
        return self.rig.world

    @property
    def caller(self) -> Installation:
        """The installation whose token the call carries.

        Raises:
            ApiError: `not_authed` when it carries none.
        """
        if self.install is None:
            raise ApiError("not_authed")
        return self.install

    def need(self, name: str, code: str = "invalid_arguments") -> str:
        """Return an argument that must be there.

        Raises:
            ApiError: with `code` when it is missing.
        """
        value = self.args.get(name)
        if value is None or value == "":
            detail = (f"[ERROR] missing required field: {name}",) if code == "invalid_arguments" else ()
            raise ApiError(code, *detail)
        return str(value)

    def words(self, name: str) -> str | None:
        """Return an argument as text, or nothing."""
        value = self.args.get(name)
        return None if value is None or value == "" else str(value)

    def flag(self, name: str) -> bool:
        """Return whether an argument says yes, in a form's or in JSON's way."""
        return str(self.args.get(name, "")).lower() in ("1", "true")

    def number(self, name: str, default: int) -> int:
        """Return a whole number."""
        value = str(self.args.get(name, ""))
        return int(value) if value.isdecimal() else default

    def json(self, name: str, code: str = "invalid_arguments") -> object:
        """Return an argument that is JSON, which a form carries as text.

        Raises:
            ApiError: with `code` when the text is not JSON.
        """
        value = self.args.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except ValueError:
            raise ApiError(code) from None

    def channel(self, name: str = "channel") -> Channel:
        """Return the channel that an argument names by id or by name; a user id is the direct message.

        Raises:
            ApiError: `channel_not_found` when there is none, or a private one that the app is not in.
        """
        wanted = self.need(name, "channel_not_found" if name == "channel" else "invalid_arguments")
        user = self.world.users.get(wanted)
        if user is not None and user.team == self.caller.team:
            return rooms.direct_channel(self.world, self.caller.team, self.caller.bot_user, user.id)
        channel = rooms.find_channel(self.world, self.caller.team, wanted)
        if channel is None or (channel.kind != "channel" and self.caller.bot_user not in channel.members):
            raise ApiError("channel_not_found")
        return channel

    def page(self, items: list[Json], key: str, default: int = 100) -> Json:
        """Return one page of items, with the cursor of the next."""
        start = self.number("cursor", 0) if self.words("cursor") else 0
        end = start + max(1, min(self.number("limit", default), 1000))
        more = str(end) if end < len(items) else ""
        return {"ok": True, key: items[start:end], "response_metadata": {"next_cursor": more}}


Method = Callable[[Call], Json]
