from __future__ import annotations

from datetime import timedelta

from bot.weekly.figures import median_hours
from tests.weekly.makers import MONDAY, a_week, an_incident


def test_the_median_of_an_even_count_lies_between() -> None:
    solved = [an_incident(resolved_at=MONDAY + timedelta(hours=hours)) for hours in (1, 3)]

    assert 2 == median_hours(solved, "resolved_at")


def test_without_a_moment_there_is_no_median() -> None:
    assert median_hours([an_incident()], "answered_at") is None


def test_a_channel_that_nobody_knows_is_not_told_of() -> None:
    assert not a_week().may_tell(an_incident(channel="C9"))
