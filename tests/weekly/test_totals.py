from __future__ import annotations

from datetime import timedelta

import pytest

from bot.incident import Incident
from bot.weekly.totals import totals, trend
from tests.weekly.makers import MONDAY, a_count, a_week, an_incident, plain


def a_resolved(days: float, hours: float, **fields: object) -> Incident:
    solved = MONDAY + timedelta(days=days, hours=hours)
    return an_incident(days, state="resolved", resolved_at=solved, **{"resolver": "U1", **fields})


def test_incidents_are_counted_against_the_week_before() -> None:
    week = a_week(*(an_incident() for _ in range(3)), before=(a_count(-2),))

    assert "3 incidents (2 more than the week before)" in plain([totals(week)])


def test_a_quiet_week_after_a_busy_one_says_so() -> None:
    assert "0 incidents (1 fewer than the week before)" in plain([totals(a_week(before=(a_count(-3),)))])


@pytest.mark.parametrize(
    ("count", "said"), [(8, "above the usual 4.0"), (4, "about the usual"), (1, "below the usual")]
)
def test_a_week_is_held_against_what_is_usual(count: int, said: str) -> None:
    earlier = tuple((f"2026-W{43 + n}", 4) for n in range(5))

    week = a_week(*(an_incident() for _ in range(count)), trend=(*earlier, ("2026-W48", count)))

    assert said in plain([totals(week)])


def test_the_median_time_to_a_solution_is_told() -> None:
    week = a_week(*(a_resolved(days, hours) for days, hours in ((0, 1), (1, 2), (2, 30))))

    assert "median time to resolution 2.0 h" in plain([totals(week)])


def test_a_case_that_nobody_solved_does_not_count_as_solved_slowly() -> None:
    week = a_week(a_resolved(0, 1), a_resolved(1, 200, resolver=None))

    assert "median time to resolution 1.0 h" in plain([totals(week)])


def test_the_median_time_to_a_first_answer_is_told() -> None:
    week = a_week(an_incident(answered_at=MONDAY + timedelta(seconds=3)))

    assert "first answer 3 s" in plain([totals(week)])


def test_what_was_called_helpful_is_a_share_where_many_said_so() -> None:
    voices = [an_incident(helpful=helpful) for helpful in (True, True, True, True, False)]

    assert "4 of 5 called helpful (80%)" in plain([totals(a_week(*voices))])


def test_the_weeks_are_drawn_oldest_first() -> None:
    (chart,) = trend(a_week(trend=(("2026-W47", 3), ("2026-W48", 1))))

    assert (("W47", "W48"), (3.0, 1.0)) == (chart.labels, chart.series[0].values)


def test_a_first_week_has_no_trend() -> None:
    assert [] == trend(a_week(trend=(("2026-W47", 0), ("2026-W48", 1))))


def test_a_week_that_is_not_over_is_not_held_against_a_whole_one() -> None:
    told = plain([totals(a_week(an_incident(), before=(a_count(), a_count()), is_over=False))])

    assert told.startswith("1 incident (so far; 2 the week before) · ")
