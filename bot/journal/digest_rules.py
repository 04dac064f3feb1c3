"""When each team's digest is due: a weekday and a time by the clocks of a zone."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import delete, select

from bot.frozen import Frozen
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import digest_rules


class Rule(Frozen):
    """A team's digest goes to a channel every week; weekday 0 is Monday, the minute is of the day."""

    workspace: str
    team: str
    channel: str
    zone: str = "UTC"
    weekday: int = 0
    minute: int = 9 * 60
    since: datetime  # what was due before is not made up for

    def last_due(self, now: datetime) -> datetime | None:
        """Return when it was due last, or None before its first time.

        The time is the wall clock's, so that nine o'clock stays nine o'clock when the clocks change.

        >>> from datetime import UTC
        >>> rule = Rule(workspace="T1", team="ml", channel="C1", since=datetime(2026, 11, 1, tzinfo=UTC))
        >>> rule.last_due(datetime(2026, 11, 30, 8, 59, tzinfo=UTC)).isoformat()
        '2026-11-23T09:00:00+00:00'
        """
        here = now.astimezone(ZoneInfo(self.zone))
        midnight = here.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        day = midnight - timedelta(days=(here.weekday() - self.weekday) % 7)
        due = day.replace(hour=self.minute // 60, minute=self.minute % 60)
        due = due if due <= here else due - timedelta(days=7)
        return due if due >= self.since else None


def set_rule(journal: Journal, rule: Rule) -> None:
    """Set when a team's digest is due in a channel."""
    row = rule.model_dump()
    keys = ["workspace", "team", "channel"]
    with journal.writing() as connection:
        adding = insert_or(connection, digest_rules).values(row)
        connection.execute(adding.on_conflict_do_update(index_elements=keys, set_=row))


def drop_rules(journal: Journal, workspace: str, channel: str | None = None, team: str | None = None) -> None:
    """Send no more digests of a workspace: to one channel, of one team, or at all."""
    dropping = delete(digest_rules).filter_by(workspace=workspace)
    if channel is not None:
        dropping = dropping.filter_by(channel=channel)
    if team is not None:
        dropping = dropping.filter_by(team=team)
    with journal.writing() as connection:
        connection.execute(dropping)


def rules(journal: Journal) -> tuple[Rule, ...]:
    """Return every rule."""
    query = select(digest_rules).order_by(*digest_rules.primary_key.columns)
    with journal.engine.connect() as connection:
        return tuple(Rule(**row) for row in connection.execute(query).mappings())
