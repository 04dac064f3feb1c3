from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import pytest
import time_machine
from slack_sdk import WebClient

from bot.case import Thread
from bot.cli.due import tell
from bot.incident import Incident
from bot.journal.digest_rules import Rule
from bot.journal.incidents import file
from bot.journal.open import Journal
from bot.journal.teams import PLATFORM, Team, set_team
from bot.reply.document import Title
from bot.slack.desk import Desk

BERLIN = ZoneInfo("Europe/Berlin")
RULE = Rule(workspace="T1", team="ml", channel="C9", zone="Europe/Berlin", since=datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def desk(journal: Journal) -> Desk:
    set_team(journal, Team(workspace="T1", name="ml", zone="Europe/Berlin"))
    return Desk(journal, cast("WebClient", None), "")


def an_incident(journal: Journal, opened: datetime, team: str = "ml") -> None:
    thread = Thread(workspace="T1", channel="C1", root=f"{opened.timestamp():.6f}")
    file(journal, Incident(thread=thread, opened_at=opened, team=team, state="resolved"))


def told_at(desk: Desk, moment: datetime, rule: Rule = RULE) -> str | None:
    """Return what the schedule would say at that moment: the week's name and how many incidents it had."""
    with time_machine.travel(moment, tick=False):
        due = rule.last_due(desk.clock())
    assert due is not None
    document = tell(desk, rule, due)
    if document is None:
        return None
    (title,) = [part for part in document.parts if isinstance(part, Title)]
    return f"{title.aside.split(',')[0]}: {document.summary.split(': ')[1]}"


@pytest.mark.parametrize(
    ("monday", "week"),
    [
        (datetime(2026, 3, 30, 9, 1, tzinfo=BERLIN), "2026-W13"),  # the clocks went forward on the 29th
        (datetime(2026, 4, 6, 9, 1, tzinfo=BERLIN), "2026-W14"),
        (datetime(2026, 10, 26, 9, 1, tzinfo=BERLIN), "2026-W43"),  # and back on the 25th
        (datetime(2026, 11, 2, 9, 1, tzinfo=BERLIN), "2026-W44"),
    ],
)
def test_a_digest_tells_of_its_week_by_the_teams_clocks_whatever_they_do(
    desk: Desk, monday: datetime, week: str
) -> None:
    begin = (monday - timedelta(days=7)).replace(hour=0, minute=0)
    end = monday.replace(hour=0, minute=0)
    for inside in (begin, begin.replace(hour=12), end - timedelta(minutes=1)):
        an_incident(desk.journal, inside)
    for outside in (begin.astimezone(UTC) - timedelta(minutes=1), end):
        an_incident(desk.journal, outside)

    assert f"week {week}: 3 incidents, 1 the week before" == told_at(desk, monday)


def test_the_digest_is_due_at_the_same_hour_of_the_teams_day_after_a_change(desk: Desk) -> None:
    moments = [datetime(2026, 3, day, 6, 59, tzinfo=UTC) for day in (23, 30)]
    an_incident(desk.journal, datetime(2026, 3, 17, tzinfo=UTC))
    an_incident(desk.journal, datetime(2026, 3, 24, tzinfo=UTC))

    # 06:59 UTC is before nine in a Berlin winter as in its summer; 07:01 is after nine in summer only.
    assert [None, "week 2026-W12: 1 incident, 0 the week before"] == [told_at(desk, moment) for moment in moments]
    assert "week 2026-W13: 1 incident, 1 the week before" == told_at(desk, datetime(2026, 3, 30, 7, 1, tzinfo=UTC))


def test_a_quiet_week_is_silent(desk: Desk) -> None:
    assert told_at(desk, datetime(2026, 11, 30, 9, tzinfo=UTC)) is None


def test_a_quiet_week_is_told_where_the_team_asks_for_it(desk: Desk) -> None:
    set_team(desk.journal, Team(workspace="T1", name="ml", zone="Europe/Berlin", tells_quiet_weeks=True))

    assert "week 2026-W48: 0 incidents, 0 the week before" == told_at(desk, datetime(2026, 11, 30, 9, tzinfo=UTC))


def test_the_platform_is_told_of_everybody(desk: Desk) -> None:
    for hour, team in enumerate(("ml", "search", "T1")):
        an_incident(desk.journal, datetime(2026, 11, 24, hour, tzinfo=UTC), team)

    platform = RULE.model_copy(update={"team": PLATFORM})

    assert "week 2026-W48: 3 incidents, 0 the week before" == told_at(
        desk, datetime(2026, 11, 30, 9, tzinfo=UTC), platform
    )
