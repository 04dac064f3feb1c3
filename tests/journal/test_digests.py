from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from bot.journal.digests import LEASE, Slot, claim_slot, fill_slot, free_slot, last_sent, take_over_slot
from bot.journal.open import Journal
from tests.journal.makers import MONDAY

SLOT = Slot(workspace="T1", team="inference", channel="C1", week="2026-W48")


def test_a_digest_is_claimed_by_one_of_many(journal: Journal) -> None:
    with ThreadPoolExecutor(8) as hands:
        claimed = list(hands.map(lambda _: claim_slot(journal, SLOT, MONDAY), range(8)))

    assert 1 == sum(claimed)


def test_a_sent_digest_is_not_sent_again(journal: Journal) -> None:
    claim_slot(journal, SLOT, MONDAY)
    fill_slot(journal, SLOT, "18.2")

    assert not claim_slot(journal, SLOT, MONDAY)


def test_a_refused_digest_may_be_sent_later(journal: Journal) -> None:
    claim_slot(journal, SLOT, MONDAY)

    free_slot(journal, SLOT)

    assert claim_slot(journal, SLOT, MONDAY)


def test_a_digest_whose_sender_died_is_taken_over_by_one(journal: Journal) -> None:
    claim_slot(journal, SLOT, MONDAY)

    with ThreadPoolExecutor(8) as hands:
        taken = list(hands.map(lambda _: take_over_slot(journal, SLOT, MONDAY + LEASE * 2), range(8)))

    assert [MONDAY] == [since for since in taken if since]


def test_a_digest_whose_sender_is_at_it_is_left_to_it(journal: Journal) -> None:
    claim_slot(journal, SLOT, MONDAY)

    assert take_over_slot(journal, SLOT, MONDAY + LEASE / 2) is None


def test_the_newest_digest_is_known(journal: Journal) -> None:
    assert last_sent(journal) is None
    claim_slot(journal, SLOT, MONDAY)
    fill_slot(journal, SLOT, "18.2")

    assert MONDAY == last_sent(journal)
