from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.weekly.weeks import read_week, week_of

BERLIN = ZoneInfo("Europe/Berlin")


def test_a_week_is_named_as_people_write_it() -> None:
    assert "2026-W48" == week_of(datetime(2026, 11, 25, tzinfo=UTC)).name


@pytest.mark.parametrize("text", ["2026-W48", "2026w48", " 2026-W48 "])
def test_a_name_means_its_week(text: str) -> None:
    assert week_of(datetime(2026, 11, 23, tzinfo=UTC)) == read_week(text)


@pytest.mark.parametrize("text", ["", "48", "2026-W60", "2026-48", "next week"])
def test_what_names_no_week_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="2026-W48"):
        read_week(text)


@pytest.mark.parametrize(("name", "hours"), [("2026-W13", 167), ("2026-W14", 168), ("2026-W43", 169)])
def test_a_week_with_a_change_of_the_clocks_is_still_monday_to_monday(name: str, hours: int) -> None:
    week = read_week(name, BERLIN)

    assert (0, 0, 0, 0) == (week.begin.hour, week.begin.weekday(), week.end.hour, week.end.weekday())
    assert timedelta(hours=hours) == week.end.astimezone(UTC) - week.begin.astimezone(UTC)


@pytest.mark.parametrize("name", ["2026-W01", "2026-W13", "2026-W44", "2020-W53"])
def test_the_week_before_ends_where_a_week_begins(name: str) -> None:
    week = read_week(name, BERLIN)

    assert (week.begin, week) == (week.before.end, week.before.after)


def test_the_last_weeks_come_oldest_first() -> None:
    assert ["2025-W52", "2026-W01", "2026-W02"] == [week.name for week in read_week("2026-W02").last(3)]
