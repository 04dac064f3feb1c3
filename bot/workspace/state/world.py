"""Everything that the stand-in holds, and the announcement of each change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.workspace.clock import Clock
from bot.workspace.state.records import Channel, File, Installation, Message, Team, User, View
from bot.workspace.wire import Json

Watcher = Callable[[str, Json], None]
Glance = Callable[[Json], None]


@dataclass(slots=True)
class World:
    """The state of all teams; only the functions beside this file change it."""

    clock: Clock
    teams: dict[str, Team] = field(default_factory=dict[str, Team])
    users: dict[str, User] = field(default_factory=dict[str, User])
    channels: dict[str, Channel] = field(default_factory=dict[str, Channel])
    messages: dict[str, dict[str, Message]] = field(default_factory=dict[str, dict[str, Message]])
    threads: dict[tuple[str, str], list[Message]] = field(default_factory=dict[tuple[str, str], "list[Message]"])
    ephemerals: list[Message] = field(default_factory=list[Message])
    scheduled: dict[str, Json] = field(default_factory=dict[str, Json])
    files: dict[str, File] = field(default_factory=dict[str, File])
    views: dict[str, View] = field(default_factory=dict[str, View])
    stacks: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    homes: dict[str, View] = field(default_factory=dict[str, View])
    statuses: dict[tuple[str, str], Json] = field(default_factory=dict[tuple[str, str], Json])
    prompts: dict[str, Json] = field(default_factory=dict[str, Json])
    streams: set[str] = field(default_factory=set[str])
    usergroups: dict[str, Json] = field(default_factory=dict[str, Json])
    installations: dict[str, Installation] = field(default_factory=dict[str, Installation])
    watchers: list[Watcher] = field(default_factory=list[Watcher])
    glances: list[Glance] = field(default_factory=list[Glance])
    _last_tick: int = 0

    def announce(self, team: str, event: Json) -> None:
        """Tell the watchers that a Slack event happened in a team."""
        for watcher in self.watchers:
            watcher(team, event)

    def show(self, what: str, **where: str | None) -> None:
        """Tell whoever looks at the page what to look at again."""
        for glance in self.glances:
            glance({"what": what, **where})

    def next_ts(self) -> str:
        """Return a message timestamp that no other message has."""
        self._last_tick = max(self._last_tick + 1, int(self.clock.now() * 1_000_000))
        return f"{self._last_tick // 1_000_000}.{self._last_tick % 1_000_000:06d}"

    def installation_in(self, team: str) -> Installation | None:
        """Return the app's installation in a team."""
        return next((item for item in self.installations.values() if item.team == team), None)
