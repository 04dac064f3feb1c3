from __future__ import annotations

from datetime import timedelta

from bot.journal.channels import set_channel
from bot.journal.incidents import file, opened_by, seen_before, unfile, week
from bot.journal.open import Journal
from tests.journal.makers import MONDAY, a_thread, an_incident


def test_an_incident_is_one_row_however_often_it_is_filed(journal: Journal) -> None:
    file(journal, an_incident())

    file(journal, an_incident(state="resolved", model="m"))

    assert (an_incident(team="T1", state="resolved", model="m"),) == week(
        journal, "T1", MONDAY, MONDAY + timedelta(days=7)
    )


def test_a_week_ends_before_its_end(journal: Journal) -> None:
    file(journal, an_incident("1", days=0))
    file(journal, an_incident("2", days=7))

    assert ["1"] == [row.thread.root for row in week(journal, "T1", MONDAY, MONDAY + timedelta(days=7))]


def test_the_same_fingerprint_is_found_again_newest_first(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", is_private=False)
    for days in (0, 1, 2):
        file(journal, an_incident(str(days), days=days))

    found = seen_before(journal, an_incident("2", days=2), MONDAY)

    assert ["1", "0"] == [row.thread.root for row in found]


def test_a_private_channel_is_never_told_of_elsewhere(journal: Journal) -> None:
    set_channel(journal, "T1", "G1", is_private=True)
    file(journal, an_incident("1", channel="G1"))

    assert () == seen_before(journal, an_incident("2", days=1, channel="C1"), MONDAY)
    assert 1 == len(seen_before(journal, an_incident("2", days=1, channel="G1"), MONDAY))


def test_a_channel_of_unknown_visibility_is_not_told_of_elsewhere(journal: Journal) -> None:
    file(journal, an_incident("1", channel="C9"))

    assert () == seen_before(journal, an_incident("2", days=1, channel="C1"), MONDAY)


def test_a_person_sees_what_they_have_open(journal: Journal) -> None:
    file(journal, an_incident("1", opener="U1"))
    file(journal, an_incident("2", opener="U1", state="resolved"))
    file(journal, an_incident("3", opener="U2"))

    assert ["1"] == [row.thread.root for row in opened_by(journal, "T1", "U1")]


def test_an_incident_that_was_none_is_taken_out_of_the_count(journal: Journal) -> None:
    file(journal, an_incident())

    unfile(journal, a_thread())

    assert () == week(journal, "T1", MONDAY, MONDAY + timedelta(days=7))
