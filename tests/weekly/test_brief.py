"""A digest for one window of a terminal."""

from __future__ import annotations

from bot.reply import terminal
from bot.reply.document import Chart, Details
from bot.weekly.brief import brief
from bot.weekly.compose import digest
from tests.weekly.makers import a_link, a_week, an_incident
from tests.weekly.test_compose import a_busy_week


def test_the_busiest_week_fits_into_a_window_without_addresses() -> None:
    printed = terminal.render(brief(digest(a_busy_week(), a_link)))

    assert len(printed.splitlines()) <= 32
    assert "http" not in printed
    assert "40 incidents" in printed
    assert "Incidents by week: " in printed


def test_what_a_list_leaves_out_is_counted_or_said_to_go_on() -> None:
    printed = terminal.render(brief(digest(a_busy_week(), a_link)))

    assert "By problem, 5 of 9 rows" in printed
    assert "· and so on" in printed
    assert "Still open: " in printed


def test_a_small_week_is_told_whole() -> None:
    printed = terminal.render(brief(digest(a_week(an_incident(title="No room")), a_link)))

    assert "No room" in printed
    assert "and so on" not in printed
    assert " rows" not in printed


def test_there_is_always_more_behind_details() -> None:
    *_, last = brief(digest(a_busy_week(), a_link)).parts

    assert isinstance(last, Details)


def test_of_charts_the_weeks_alone_are_drawn() -> None:
    whole = digest(a_busy_week(), a_link)
    drawn = [part.kind for part in whole.parts if isinstance(part, Chart)]
    columns = [line for line in terminal.render(brief(whole)).splitlines() if "▁" in line or "█" in line]

    assert {"lines"} < set(drawn)
    assert 1 == len(columns)
