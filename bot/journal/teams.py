"""Teams: who owns incidents, whom a digest is for, how long what they pasted is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import field_validator
from sqlalchemy import delete, or_, select, update

from bot.frozen import Frozen
from bot.journal.channels import channel, set_channel
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import channels, digest_rules, incidents, teams

PLATFORM = "*"  # stands for all teams of a workspace where a digest is asked for; no team can have that name


class Team(Frozen):
    """Some people of a workspace who run vLLM; each workspace has one by its own id, for what nobody else owns."""

    workspace: str
    name: str
    members: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()  # may change the team's settings
    groups: tuple[str, ...] = ()  # Slack user groups whose people's incidents it owns
    zone: str = "UTC"
    retention_days: int | None = None  # None: as the workspace's own team, or kept
    escalation: str | None = None  # the user group that an escalation mentions
    quiet_from: int | None = None  # minute of the day
    quiet_until: int | None = None
    tells_quiet_weeks: bool = False

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"{zone!r} is no time zone; write it like Europe/Berlin") from error
        return zone

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        if not name.strip() or name.strip() == PLATFORM or len(name) > 100:
            raise ValueError(f"{name!r} is no name for a team; use up to 100 letters, and not '{PLATFORM}'")
        return name.strip()

    @field_validator("retention_days")
    @classmethod
    def _keeps_something(cls, days: int | None) -> int | None:
        if days is not None and days < 1:
            raise ValueError(f"retention of {days} days keeps nothing; use one or more, or leave it out to keep all")
        return days

    def is_quiet(self, now: datetime) -> bool:
        """Return whether people of this team should not be called now, by their own clocks.

        >>> from datetime import UTC
        >>> night = Team(workspace="T1", name="ml", quiet_from=22 * 60, quiet_until=7 * 60)
        >>> [night.is_quiet(datetime(2026, 11, 30, hour, tzinfo=UTC)) for hour in (6, 7, 21, 22)]
        [True, False, False, True]
        """
        if self.quiet_from is None or self.quiet_until is None:
            return False
        here = now.astimezone(ZoneInfo(self.zone))
        minute = here.hour * 60 + here.minute
        if self.quiet_from <= self.quiet_until:
            return self.quiet_from <= minute < self.quiet_until
        return minute >= self.quiet_from or minute < self.quiet_until


def set_team(journal: Journal, team: Team) -> None:
    """Make a team, or set all of its settings; its digests follow its zone."""
    row = team.model_dump(mode="json")
    keys = ["workspace", "name"]
    with journal.writing() as connection:
        adding = insert_or(connection, teams).values(row)
        connection.execute(adding.on_conflict_do_update(index_elements=keys, set_=row))
        following = update(digest_rules).filter_by(workspace=team.workspace, team=team.name)
        connection.execute(following.values(zone=team.zone))


def team(journal: Journal, workspace: str, name: str) -> Team | None:
    """Return a team, or None when there is none of that name."""
    query = select(teams).filter_by(workspace=workspace, name=name)
    with journal.engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return Team(**row) if row else None


def all_teams(journal: Journal, workspace: str | None = None) -> tuple[Team, ...]:
    """Return the teams of one workspace or of all, by name."""
    query = select(teams).order_by(teams.c.workspace, teams.c.name)
    if workspace is not None:
        query = query.filter_by(workspace=workspace)
    with journal.engine.connect() as connection:
        return tuple(Team(**row) for row in connection.execute(query).mappings())


def drop_team(journal: Journal, workspace: str, name: str) -> bool:
    """Dissolve a team: its channels and incidents fall back to the workspace; False when there was none."""
    with journal.writing() as connection:
        dropping = delete(teams).filter_by(workspace=workspace, name=name).returning(teams.c.name)
        was_there = connection.execute(dropping).first() is not None
        connection.execute(delete(digest_rules).filter_by(workspace=workspace, team=name))
        connection.execute(update(channels).filter_by(workspace=workspace, team=name).values(team=None))
        connection.execute(update(incidents).filter_by(workspace=workspace, team=name).values(team=workspace))
    return was_there


def map_channel(journal: Journal, workspace: str, id_: str, name: str | None) -> None:
    """Let a team own a channel, and what the channel's former owner had there; None gives it back to the workspace."""
    before = channel(journal, workspace, id_).team or workspace
    set_channel(journal, workspace, id_, team=name)
    theirs = or_(incidents.c.team == before, incidents.c.team.is_(None))
    moving = update(incidents).filter_by(workspace=workspace, channel=id_).where(theirs)
    with journal.writing() as connection:
        connection.execute(moving.values(team=name or workspace))


def owner(
    journal: Journal, workspace: str, id_: str, person: str | None, in_group: Callable[[str, str], bool]
) -> str | None:
    """Return the team that owns what a person says in a channel: the channel's, else the person's, else None.

    `in_group(group, person)` asks Slack; it is asked only where no team names the person itself.
    """
    mapped = channel(journal, workspace, id_).team
    if mapped or person is None:
        return mapped
    known = all_teams(journal, workspace)
    return _first(team.name for team in known if person in (*team.members, *team.leads)) or _first(
        team.name for team in known if any(in_group(group, person) for group in team.groups)
    )


def _first(names: Iterable[str]) -> str | None:
    return next(iter(names), None)


def settings_of(journal: Journal, workspace: str, name: str | None) -> Team:
    """Return a team's settings; those of the workspace, or the defaults, where nobody set any."""
    found = (name and team(journal, workspace, name)) or team(journal, workspace, workspace)
    return found or Team(workspace=workspace, name=workspace)


def workspaces_known(journal: Journal) -> tuple[str, ...]:
    """Return the workspaces that anything is known of."""
    named: set[Any] = set()
    with journal.engine.connect() as connection:
        for table in (teams, channels, incidents):
            named |= set(connection.execute(select(table.c.workspace).distinct()).scalars())
    return tuple(sorted(named))
