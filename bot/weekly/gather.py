"""Reading a week out of the journal, as far as its reader may know of it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.incident import Incident
from bot.journal.channels import all_channels
from bot.journal.counting import by_week, known_before, left_open
from bot.journal.incidents import week as incidents_of_week
from bot.journal.incidents import week_counted, workspaces_with_incidents
from bot.journal.open import Journal
from bot.journal.teams import PLATFORM, all_teams, settings_of
from bot.weekly.figures import UNNAMED, Gathered, Names, Room
from bot.weekly.weeks import Week

WEEKS = 8  # in the trend


def gather(
    journal: Journal, workspace: str, team: str, week: Week, reader: str | None = None, names: Names = UNNAMED
) -> Gathered:
    """Gather a team's week, or with `PLATFORM` everybody's; a private channel is told of in that channel only.

    Args:
        journal: Where it is kept.
        workspace: Whose.
        team: The owning team; the workspace's own id for what no team owns.
        week: The week, in the zone it is told in.
        reader: The channel that it is told in.
        names: How people call what the journal holds by id.
    """
    owner = None if team == PLATFORM else team
    now = incidents_of_week(journal, workspace, *_span(week), owner)
    weeks = week.last(WEEKS)
    counts = by_week(journal, workspace, [*(each.begin for each in weeks), week.end], owner)
    older, oldest = left_open(journal, workspace, week.begin, owner)
    return Gathered(
        workspace=workspace,
        team=title(journal, workspace, team),
        week=week,
        incidents=now,
        before=week_counted(journal, workspace, *_span(week.before), owner),
        trend=tuple((each.name, count) for each, count in zip(weeks, counts, strict=True)),
        known=known_before(journal, workspace, _fingerprints(now), week.begin),
        left_open=older,
        oldest_open=oldest,
        rooms=_rooms(journal, workspace, reader),
        names=names,
        is_platform=team == PLATFORM,
    )


def _span(week: Week) -> tuple[datetime, datetime]:
    return week.begin, week.end


def title(journal: Journal, workspace: str, team: str) -> str:
    """Return what a digest calls the team that it is of."""
    if team == PLATFORM:
        return "the whole platform"
    if team != workspace:
        return team
    return "no team" if len(teams_to_tell(journal, workspace)) > 1 else "this workspace"


def _fingerprints(incidents: tuple[Incident, ...]) -> set[str]:
    """Return the fingerprints of known problems; that an error nobody explains is new goes without saying."""
    return {incident.fingerprint for incident in incidents if incident.fingerprint and incident.problem}


def _rooms(journal: Journal, workspace: str, reader: str | None) -> dict[str, Room]:
    rooms = all_channels(journal, workspace)
    told = {room.id: Room(name=room.name or room.id, may_tell=room.is_private is False) for room in rooms}
    if reader is not None:
        told[reader] = Room(name=told[reader].name if reader in told else reader, may_tell=True)
    return told


def teams_to_tell(journal: Journal, workspace: str) -> tuple[str, ...]:
    """Return whose digests there are: each team's, what no team owns, and the platform's where there is any team."""
    named = {team.name for team in all_teams(journal, workspace)}
    named |= {room.team for room in all_channels(journal, workspace) if room.team}
    names = sorted(named - {workspace})
    return (*names, workspace, PLATFORM) if names else (workspace,)


def everybody(journal: Journal) -> tuple[tuple[str, str], ...]:
    """Return every workspace with every team that has a digest in it."""
    return tuple(
        (workspace, team)
        for workspace in workspaces_with_incidents(journal)
        for team in teams_to_tell(journal, workspace)
    )


def zone_of(journal: Journal, workspace: str, team: str) -> ZoneInfo:
    """Return the zone of a team's clocks; the workspace's for the platform."""
    return ZoneInfo(settings_of(journal, workspace, None if team == PLATFORM else team).zone)
