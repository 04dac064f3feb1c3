from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from bot.case import EntryKind
from bot.journal.entries import remember
from bot.journal.open import Journal
from bot.journal.owed import LEASE, claim, next_due, oldest_owed, owe_again, postpone, release_all, renew, settle
from tests.journal.makers import MONDAY, a_thread, an_entry


def test_a_thread_with_a_new_entry_is_owed_an_answer(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])

    owed = claim(journal, "w1", MONDAY)

    assert owed is not None
    assert a_thread() == owed.thread


def test_nothing_is_owed_for_what_we_did_ourselves(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(EntryKind.POSTED), ["posted:1"], owes_an_answer=False)

    assert claim(journal, "w1", MONDAY) is None


def test_a_settled_thread_is_not_claimed_again(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    owed = claim(journal, "w1", MONDAY)
    assert owed is not None

    settle(journal, owed)

    assert claim(journal, "w1", MONDAY) is None


def test_an_entry_that_comes_while_we_answer_is_still_owed(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    owed = claim(journal, "w1", MONDAY)
    assert owed is not None
    remember(journal, a_thread(), an_entry(EntryKind.REPLY), ["message:2"])

    settle(journal, owed)

    assert claim(journal, "w1", MONDAY) is not None


def test_one_thread_is_in_one_hand_at_a_time(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])

    with ThreadPoolExecutor(8) as hands:
        claims = list(hands.map(lambda n: claim(journal, f"w{n}", MONDAY), range(8)))

    assert 1 == len([owed for owed in claims if owed])


def test_a_thread_whose_worker_died_comes_back_after_its_lease(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    claim(journal, "dead", MONDAY)

    assert claim(journal, "w2", MONDAY + LEASE / 2) is None
    assert claim(journal, "w2", MONDAY + LEASE + timedelta(seconds=1)) is not None


def test_a_worker_that_lost_its_lease_settles_nothing(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    late = claim(journal, "late", MONDAY)
    later = MONDAY + LEASE + timedelta(seconds=1)
    assert late is not None
    claim(journal, "w2", later)

    settle(journal, late)

    assert claim(journal, "w3", later + LEASE + timedelta(seconds=1)) is not None


def test_what_an_earlier_process_held_can_be_taken_back_at_once(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    claim(journal, "dead", MONDAY)

    release_all(journal)

    assert claim(journal, "w2", MONDAY) is not None


def test_a_postponed_thread_waits_until_it_is_due(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    owed = claim(journal, "w1", MONDAY)
    assert owed is not None
    due = MONDAY + timedelta(seconds=30)

    postpone(journal, owed, due)

    assert claim(journal, "w1", MONDAY) is None
    assert due == next_due(journal)
    again = claim(journal, "w1", due)
    assert again is not None
    assert 1 == again.attempts


def test_eight_workers_take_eight_threads_at_once(journal: Journal) -> None:
    for number in range(8):
        remember(journal, a_thread(f"{number}.1"), an_entry(), [f"message:{number}"])

    with ThreadPoolExecutor(8) as hands:
        claims = list(hands.map(lambda n: claim(journal, f"w{n}", MONDAY), range(8)))

    assert {f"{number}.1" for number in range(8)} == {owed.thread.root for owed in claims if owed}


def test_a_worker_that_lives_keeps_its_thread(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    owed = claim(journal, "slow", MONDAY)
    assert owed is not None

    assert renew(journal, owed, MONDAY + LEASE / 2)

    assert claim(journal, "w2", MONDAY + LEASE * 1.2) is None


def test_a_lost_claim_cannot_be_renewed(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    late = claim(journal, "late", MONDAY)
    assert late is not None
    claim(journal, "w2", MONDAY + LEASE * 2)

    assert not renew(journal, late, MONDAY + LEASE * 2)


def test_how_long_people_have_waited_is_told(journal: Journal) -> None:
    remember(journal, a_thread("1.1"), an_entry(minutes=5), ["message:1"])
    remember(journal, a_thread("2.1"), an_entry(minutes=2), ["message:2"])

    assert (2, MONDAY + timedelta(minutes=2)) == oldest_owed(journal)


def test_a_thread_may_be_owed_again_though_nothing_was_said(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(), ["message:1"])
    owed = claim(journal, "w1", MONDAY)
    assert owed
    settle(journal, owed)

    owe_again(journal, a_thread())

    assert claim(journal, "w1", MONDAY)
