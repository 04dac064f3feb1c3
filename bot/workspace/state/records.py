"""The records of the stand-in: teams, people, channels, messages, files, views, installations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.workspace.wire import Json

ChannelKind = Literal["channel", "group", "im"]


@dataclass(frozen=True, slots=True)
class Team:
    """A Slack workspace."""

    id: str
    name: str
    domain: str


@dataclass(frozen=True, slots=True)
class User:
    """A person or a bot of one team."""

    id: str
    team: str
    name: str
    real_name: str
    email: str | None = None
    tz: str = "Europe/Berlin"
    bot_id: str | None = None
    is_admin: bool = False
    is_guest: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether an app speaks through this user."""
        return self.bot_id is not None

    def as_json(self) -> Json:
        """Return the user object of `users.info`."""
        profile: Json = {"real_name": self.real_name, "display_name": self.name, "email": self.email}
        if self.bot_id:
            profile |= {"bot_id": self.bot_id, "always_active": True}
        return {
            "id": self.id,
            "team_id": self.team,
            "name": self.name,
            "real_name": self.real_name,
            "deleted": False,
            "tz": self.tz,
            "tz_label": self.tz,
            "profile": profile,
            "is_admin": self.is_admin,
            "is_owner": False,
            "is_restricted": self.is_guest,
            "is_ultra_restricted": False,
            "is_bot": self.is_bot,
            "is_app_user": False,
        }


@dataclass(slots=True)
class Channel:
    """A public channel, a private one, or a direct message."""

    id: str
    team: str
    name: str
    kind: ChannelKind = "channel"
    members: list[str] = field(default_factory=list[str])
    created: int = 0
    creator: str = ""
    topic: str = ""
    is_archived: bool = False
    is_shared: bool = False


@dataclass(slots=True)
class Message:
    """One message; `body` is Slack's message object as history returns it, without metadata."""

    channel: str
    ts: str
    body: Json
    metadata: Json | None = None
    seen_by: str | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    @property
    def root(self) -> str:
        """The timestamp of the thread that it belongs to (its own when it starts one)."""
        return self.body.get("thread_ts") or self.ts


@dataclass(slots=True)
class File:
    """An uploaded file or snippet and its bytes."""

    id: str
    team: str
    user: str
    name: str
    title: str
    mimetype: str
    filetype: str
    mode: Literal["hosted", "snippet"]
    content: bytes = b""
    created: int = 0
    channels: list[str] = field(default_factory=list[str])
    is_complete: bool = False
    alt: str = ""  # what a picture shows, in words


@dataclass(slots=True)
class View:
    """An open modal or a Home tab; `body` is the view object that the app sent, completed."""

    id: str
    team: str
    user: str
    body: Json
    values: Json = field(default_factory=dict[str, "Json"])
    errors: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class AppIdentity:
    """What every installation of the app has in common: its names and what it asks for."""

    id: str
    handle: str
    name: str
    scopes: frozenset[str]


@dataclass(slots=True)
class Installation:
    """The app in one team: its token, its bot user and what it may do."""

    team: str
    token: str
    app_id: str
    bot_user: str
    bot_id: str
    scopes: frozenset[str]
    refresh_token: str | None = None
