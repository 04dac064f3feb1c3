from __future__ import annotations

from datetime import timedelta

from bot.journal.counting import by_week, known_before, lately, left_open
from bot.journal.incidents import close, file
from bot.journal.open import Journal
from tests.journal.makers import MONDAY, a_thread, an_incident

WEEK = timedelta(days=7)


def test_weeks_are_counted_one_by_one(journal: Journal) -> None:
    for days in (0, 1, 8, 22):
        file(journal, an_incident(str(days), days=days))

    begins = [MONDAY + WEEK * n for n in range(4)]
    assert (2, 1, 0) == by_week(journal, "T1", begins)


def test_what_was_withdrawn_is_not_counted(journal: Journal) -> None:
    file(journal, an_incident("1", title="No room"))

    close(journal, a_thread("1"), "withdrawn")

    assert (0,) == by_week(journal, "T1", [MONDAY, MONDAY + WEEK])
    assert 0 == lately(journal, "T1", MONDAY).count


def test_the_last_days_are_told_by_their_most_frequent_titles(journal: Journal) -> None:
    for root, title, state in (("1", "a", "open"), ("2", "b", "resolved"), ("3", "b", "open")):
        file(journal, an_incident(root, title=title, state=state))

    told = lately(journal, "T1", MONDAY)

    assert (3, 2, (("b", 2), ("a", 1))) == (told.count, told.open, told.titles)


def test_what_is_still_open_is_counted_and_the_newest_named(journal: Journal) -> None:
    for days in range(3):
        file(journal, an_incident(str(days), days=days))
    file(journal, an_incident("9", days=1, state="resolved"))

    count, newest = left_open(journal, "T1", MONDAY + timedelta(days=2), most=1)

    assert (2, ["1"]) == (count, [row.thread.root for row in newest])


def test_a_fingerprint_met_before_is_known(journal: Journal) -> None:
    file(journal, an_incident("1", days=-20, fingerprint="old"))
    file(journal, an_incident("2", fingerprint="new"))

    assert frozenset({"old"}) == known_before(journal, "T1", {"old", "new", *map(str, range(250))}, MONDAY)
