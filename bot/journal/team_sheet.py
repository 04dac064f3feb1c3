"""A team as people write it: its settings, its channels and its digest on one sheet, with days and clock times."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError, ValidationInfo, field_validator, model_validator

from bot.frozen import Frozen
from bot.journal.channels import all_channels
from bot.journal.digest_rules import Rule, drop_rules, rules, set_rule
from bot.journal.ids import Kind, read_id
from bot.journal.open import Journal
from bot.journal.teams import PLATFORM, Team, all_teams, map_channel, set_team

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KINDS: dict[str, Kind] = {
    "channels": "channel",
    "digest_channel": "channel",
    "members": "person",
    "leads": "person",
    "groups": "user group",
    "escalation": "user group",
}
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def read_clock(text: str) -> int:
    """Return the minute of the day that "09:30" names.

    Raises:
        ValueError: The text is no time of day.
    """
    found = _CLOCK.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is no time of day; write it like 09:30")
    return int(found[1]) * 60 + int(found[2])


def say_clock(minute: int) -> str:
    """Say a minute of the day.

    >>> say_clock(570)
    '09:30'
    """
    return f"{minute // 60:02d}:{minute % 60:02d}"


class TeamSheet(Frozen):
    """What a person sets for a team."""

    name: str
    channels: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    zone: str = "UTC"
    digest_channel: str | None = None
    digest_day: str = "monday"
    digest_time: str = "09:00"
    retention_days: int | None = None
    escalation: str | None = None
    quiet_hours: str | None = None  # 20:00-07:00
    tells_quiet_weeks: bool = False

    @field_validator("channels", "digest_channel", "members", "leads", "groups", "escalation", mode="before")
    @classmethod
    def _are_ids(cls, value: Any, info: ValidationInfo) -> Any:
        kind = _KINDS[str(info.field_name)]
        if isinstance(value, (list, tuple)):
            return tuple(read_id(kind, str(each)) for each in value)
        return value if value is None else read_id(kind, str(value))

    @field_validator("digest_day")
    @classmethod
    def _is_a_day(cls, day: str) -> str:
        if day.lower() not in DAYS:
            raise ValueError(f"{day!r} is no day; use one of {', '.join(DAYS)}")
        return day.lower()

    @field_validator("digest_time")
    @classmethod
    def _is_a_time(cls, time: str) -> str:
        return say_clock(read_clock(time))

    @field_validator("quiet_hours")
    @classmethod
    def _are_hours(cls, hours: str | None) -> str | None:
        if hours is None:
            return None
        begin, dash, end = hours.partition("-")
        if not dash:
            raise ValueError(f"{hours!r} are no hours; write them like 20:00-07:00")
        return f"{say_clock(read_clock(begin))}-{say_clock(read_clock(end))}"

    @model_validator(mode="after")
    def _is_a_team(self) -> TeamSheet:
        try:
            self.as_team("any")
        except ValidationError as error:
            raise ValueError(error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")) from error
        return self

    def as_team(self, workspace: str) -> Team:
        """Return the settings without channels and digest.

        Raises:
            ValueError: The name, the zone or the retention cannot be used.
        """
        begin, _, end = (self.quiet_hours or "").partition("-")
        own = self.model_dump(include=set(Team.model_fields) & set(TeamSheet.model_fields))
        return Team(
            workspace=workspace,
            **own,
            quiet_from=read_clock(begin) if begin else None,
            quiet_until=read_clock(end) if end else None,
        )


def keep(journal: Journal, workspace: str, sheet: TeamSheet) -> None:
    """Set a team, its channels and its digest.

    Raises:
        ValueError: The name, the zone or the retention cannot be used; nothing is changed.
    """
    set_team(journal, sheet.as_team(workspace))
    owned = {room.id for room in all_channels(journal, workspace) if room.team == sheet.name}
    for channel in owned - set(sheet.channels):
        map_channel(journal, workspace, channel, None)
    for channel in set(sheet.channels) - owned:
        map_channel(journal, workspace, channel, sheet.name)
    set_digest(journal, workspace, sheet)


def set_digest(journal: Journal, workspace: str, sheet: TeamSheet) -> None:
    """Send a team's digest where and when its sheet says, and nowhere else."""
    team = PLATFORM if sheet.name == workspace else sheet.name
    known = [rule for rule in rules(journal) if (rule.workspace, rule.team) == (workspace, team)]
    since = next((rule.since for rule in known if rule.channel == sheet.digest_channel), datetime.now(UTC))
    drop_rules(journal, workspace, team=team)
    if sheet.digest_channel:
        rule = Rule(
            workspace=workspace,
            team=team,
            channel=sheet.digest_channel,
            zone=sheet.zone,
            weekday=DAYS.index(sheet.digest_day),
            minute=read_clock(sheet.digest_time),
            since=since,
        )
        set_rule(journal, rule)


def sheets(journal: Journal, workspace: str) -> tuple[TeamSheet, ...]:
    """Return the sheets of all teams of a workspace."""
    rooms = all_channels(journal, workspace)
    sent = {rule.team: rule for rule in rules(journal) if rule.workspace == workspace}
    return tuple(
        _sheet(team, tuple(room.id for room in rooms if room.team == team.name), sent.get(_told_as(team)))
        for team in all_teams(journal, workspace)
    )


def _told_as(team: Team) -> str:
    return PLATFORM if team.name == team.workspace else team.name


def sheet_of(journal: Journal, workspace: str, name: str) -> TeamSheet | None:
    """Return a team's sheet, or None when there is no team of that name."""
    return next((sheet for sheet in sheets(journal, workspace) if sheet.name == name), None)


def _sheet(team: Team, channels: tuple[str, ...], rule: Rule | None) -> TeamSheet:
    quiet = None
    if team.quiet_from is not None and team.quiet_until is not None:
        quiet = f"{say_clock(team.quiet_from)}-{say_clock(team.quiet_until)}"
    own = team.model_dump(include=set(Team.model_fields) & set(TeamSheet.model_fields))
    told: dict[str, Any] = {}
    if rule:
        told = {"digest_channel": rule.channel, "digest_day": DAYS[rule.weekday], "digest_time": say_clock(rule.minute)}
    # Not checked anew: what an older version took must not keep anybody from changing it.
    return TeamSheet.model_construct(**own, channels=channels, quiet_hours=quiet, **told)


def plain(sheet: TeamSheet) -> dict[str, Any]:
    """Return a sheet as what YAML holds, without what is as by default."""
    return {"name": sheet.name, **sheet.model_dump(mode="json", exclude_defaults=True, exclude={"name"})}
