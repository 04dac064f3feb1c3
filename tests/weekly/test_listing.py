from __future__ import annotations

from zoneinfo import ZoneInfo

from bot.weekly.figures import Names
from bot.weekly.listing import new_and_recurring, unexplained, unresolved
from bot.weekly.weeks import week_of
from tests.weekly.makers import MONDAY, a_link, a_week, an_incident, links, plain


def test_what_was_never_met_before_is_new() -> None:
    known = an_incident(problem="p", title="Known", fingerprint="p/known")
    fresh = an_incident(problem="q", title="Fresh", fingerprint="q/fresh")

    told = plain(new_and_recurring(a_week(known, fresh, known=frozenset({"p/known"})), a_link))

    assert ["New this week", "Fresh · 1 case, 1 open", "Recurring", "Known · 1 case, 1 open"] == told.split("\n")


def test_a_kind_is_linked_to_its_newest_case_that_may_be_told_of() -> None:
    public = an_incident(problem="p", fingerprint="p/c")
    private = an_incident(1, "G1", problem="p", fingerprint="p/c")

    assert [a_link(public)] == links(new_and_recurring(a_week(public, private), a_link))


def test_an_error_that_nobody_explains_yet_is_quoted_and_linked() -> None:
    incident = an_incident(fingerprint="unknown/RuntimeError-1", error="cuda error on <rank>")

    told = unexplained(a_week(incident), a_link)

    assert "cuda error on <rank> · 1 case" in plain(told)
    assert [a_link(incident)] == links(told)


def test_an_error_of_a_private_channel_is_counted_and_not_quoted() -> None:
    told = unexplained(a_week(an_incident(channel="G1", fingerprint="unknown/E-1", error="secret words")), a_link)

    assert "secret words" not in plain(told)
    assert "1 case" in plain(told)
    assert [] == links(told)


def test_what_is_open_is_linked_and_older_cases_are_counted() -> None:
    own, older = an_incident(title="No room"), an_incident(-9, title="Old")

    told = unresolved(a_week(own, left_open=3, oldest_open=(older,)), a_link)

    assert "Still open: 1 of this week, 3 older" in plain(told)
    assert [a_link(own), a_link(older)] == links(told)
    assert "2 more that are not listed here" in plain(told)


def test_a_private_case_that_is_open_is_counted_only() -> None:
    told = unresolved(a_week(an_incident(channel="G1", title="Secret")), a_link)

    assert [] == links(told)
    assert "1 that is not listed here" in plain(told)


def test_the_day_since_which_a_case_is_open_is_the_teams_own() -> None:
    late = an_incident(2.99, title="No room")  # Wednesday in UTC
    week = week_of(MONDAY.replace(tzinfo=ZoneInfo("Asia/Tokyo")))

    assert "since Thu 26 Nov" in plain(unresolved(a_week(late, week=week), a_link))


def test_a_kind_is_said_with_the_title_of_its_cause() -> None:
    case = an_incident(problem="p", title="Nothing is left", cause="full", fingerprint="p/full")

    told = plain(new_and_recurring(a_week(case, names=Names(causes={"p/full": "The weights fill it"})), a_link))

    assert "Nothing is left: the weights fill it · 1 case, 1 open" in told
