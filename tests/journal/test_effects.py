from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from bot.journal.effects import Effect, begin, effect, finish, purposes, record, undo
from bot.journal.open import Journal
from tests.journal.makers import MONDAY, a_thread


def test_an_effect_is_begun_by_one_of_many(journal: Journal) -> None:
    with ThreadPoolExecutor(8) as hands:
        begun = list(hands.map(lambda _: begin(journal, a_thread(), "reply", MONDAY), range(8)))

    assert 1 == sum(begun)


def test_an_effect_that_a_crash_left_open_is_seen_as_such(journal: Journal) -> None:
    begin(journal, a_thread(), "reply", MONDAY)

    assert Effect(is_done=False, at=MONDAY) == effect(journal, a_thread(), "reply")


def test_a_finished_effect_names_its_message(journal: Journal) -> None:
    begin(journal, a_thread(), "reply", MONDAY)

    finish(journal, a_thread(), "reply", message="17.1", digest="d")

    assert Effect(is_done=True, at=MONDAY, message="17.1", digest="d") == effect(journal, a_thread(), "reply")


def test_an_undone_effect_may_be_begun_anew(journal: Journal) -> None:
    begin(journal, a_thread(), "reply", MONDAY)

    undo(journal, a_thread(), "reply")

    assert begin(journal, a_thread(), "reply", MONDAY)


def test_what_was_done_is_recorded_in_one_stroke(journal: Journal) -> None:
    record(journal, a_thread(), "reaction:eyes", MONDAY)

    assert {"reaction:eyes"} == purposes(journal, a_thread(), ["reaction:eyes", "reaction:x"])
    assert Effect(is_done=True, at=MONDAY) == effect(journal, a_thread(), "reaction:eyes")
