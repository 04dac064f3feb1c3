from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from bot.case import Thread
from bot.journal.effects import begin
from bot.journal.open import Journal, open_journal
from bot.journal.presses import KEPT, LONGEST_ACT, Press, claim, finish, forget_presses, give_back, press_of
from tests.journal.makers import MONDAY

SECOND = timedelta(seconds=1)


def a_press(person: str = "U1") -> Press:
    return press_of("T1", "C1", ["1.0", "vt1:size:share", person])


def test_a_press_is_claimed_once(journal: Journal) -> None:
    claims = [claim(journal, a_press(), MONDAY) for _ in range(3)]

    assert ["ours", "under way", "under way"] == claims


def test_processes_that_share_a_database_claim_a_press_once(url: str) -> None:
    journals = [open_journal(url) for _ in range(3)]
    with ThreadPoolExecutor(3) as hands:
        claims = list(hands.map(lambda journal: claim(journal, a_press(), MONDAY), journals))
    for journal in journals:
        journal.close()

    assert ["ours", "under way", "under way"] == sorted(claims)


def test_another_person_presses_for_themselves(journal: Journal) -> None:
    claim(journal, a_press(), MONDAY)

    assert "ours" == claim(journal, a_press("U2"), MONDAY)


def test_a_press_that_was_acted_on_is_done(journal: Journal) -> None:
    claim(journal, a_press(), MONDAY)
    finish(journal, a_press(), MONDAY)

    assert "done" == claim(journal, a_press(), MONDAY + SECOND)


def test_a_press_that_failed_can_be_pressed_again(journal: Journal) -> None:
    claim(journal, a_press(), MONDAY)
    give_back(journal, a_press())

    assert "ours" == claim(journal, a_press(), MONDAY)


def test_whoever_died_over_a_press_gives_it_back(journal: Journal) -> None:
    claim(journal, a_press(), MONDAY)

    assert "ours" == claim(journal, a_press(), MONDAY + LONGEST_ACT)
    assert "under way" == claim(journal, a_press(), MONDAY + LONGEST_ACT + SECOND)


def test_after_a_while_the_same_press_is_a_new_one(journal: Journal) -> None:
    claim(journal, a_press(), MONDAY, SECOND)
    finish(journal, a_press(), MONDAY)

    assert "ours" == claim(journal, a_press(), MONDAY + SECOND, SECOND)


def test_old_presses_are_forgotten(journal: Journal) -> None:
    claim(journal, a_press(), MONDAY)

    forget_presses(journal, MONDAY + KEPT)
    assert "under way" == claim(journal, a_press(), MONDAY)

    forget_presses(journal, MONDAY + KEPT + SECOND)
    assert "ours" == claim(journal, a_press(), MONDAY)


def test_what_was_said_in_threads_is_not_forgotten_with_the_presses(journal: Journal) -> None:
    thread = Thread(workspace="T1", channel="C1", root="1.0")
    begin(journal, thread, "reply", MONDAY)

    forget_presses(journal, MONDAY + 2 * KEPT)

    assert not begin(journal, thread, "reply", MONDAY)
