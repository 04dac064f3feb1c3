"""The running stand-in as its doors see it: the parts, the way to the app, and a person's request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.workspace.delivery import Delivery
from bot.workspace.rig import Rig
from bot.workspace.sockets import SocketHub
from bot.workspace.state import people, rooms, talk
from bot.workspace.state.records import Channel, Installation, Message, User
from bot.workspace.state.world import World
from bot.workspace.wire import ApiError, Json


@dataclass(frozen=True, slots=True)
class Stage:
    """The parts that the driver and the page act on."""

    rig: Rig
    delivery: Delivery
    hub: SocketHub

    @property
    def world(self) -> World:
        """The state of all teams."""
        return self.rig.world


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody at the driver or the page asks for."""

    stage: Stage
    given: Json

    @property
    def world(self) -> World:
        """The state of all teams."""
        return self.stage.world

    def need(self, name: str) -> str:
        """Return a field that must be there.

        Raises:
            ApiError: `missing_field` that names it.
        """
        value = self.given.get(name)
        if value is None or value == "":
            raise ApiError("missing_field", f"The field `{name}` is missing.")
        return str(value)

    def words(self, name: str) -> str | None:
        """Return a field as text, or nothing."""
        value = self.given.get(name)
        return None if value is None or value == "" else str(value)

    @property
    def team(self) -> str:
        """The team that is meant: named, or the first."""
        return self.words("team") or next(iter(self.world.teams))

    @property
    def user(self) -> User:
        """Who acts: named by id or name, or the first person of the team.

        Raises:
            ApiError: `user_not_found`.
        """
        wanted = self.words("user")
        if wanted and wanted in self.world.users:
            return self.world.users[wanted]
        here = (each for each in self.world.users.values() if each.team == self.team and not each.is_bot)
        found = people.find_user(self.world, self.team, wanted) if wanted else next(here, None)
        if found is None:
            raise ApiError("user_not_found", f"Nobody here is called {wanted!r}.")
        return found

    @property
    def channel(self) -> Channel:
        """Where: a channel by id or name; `@app` and user names are direct messages.

        Raises:
            ApiError: `channel_not_found`.
        """
        wanted = self.need("channel")
        team = self.user.team
        partner = self.install.bot_user if wanted == "@app" else wanted.removeprefix("@")
        if wanted.startswith("@") and (other := people.find_user(self.world, team, partner)):
            return rooms.direct_channel(self.world, team, self.user.id, other.id)
        found = rooms.find_channel(self.world, team, wanted)
        if found is None:
            raise ApiError("channel_not_found", f"There is no channel {wanted!r}.")
        return found

    @property
    def message(self) -> Message:
        """Which message: by `channel` and `ts`, the ephemeral ones too.

        Raises:
            ApiError: `message_not_found`.
        """
        channel, ts = self.channel, self.need("ts")
        found = talk.find_message(self.world, channel.id, ts)
        whispers = (each for each in self.world.ephemerals if each.channel == channel.id and each.ts == ts)
        found = found or next(whispers, None)
        if found is None:
            raise ApiError("message_not_found", f"There is no message {ts}.")
        return found

    @property
    def install(self) -> Installation:
        """The app's installation in the acting user's team.

        Raises:
            ApiError: `app_not_installed`.
        """
        wanted = self.words("user")
        team = self.world.users[wanted].team if wanted in self.world.users else self.team
        found = self.world.installation_in(team)
        if found is None:
            raise ApiError("app_not_installed", "The app is not installed in this team.")
        return found


Verb = Callable[[Ask], Awaitable[Json]]
