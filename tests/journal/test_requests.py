from __future__ import annotations

from bot.journal.open import Journal
from bot.journal.requests import KEPT, forget_answered, is_answered, note_answered
from tests.journal.makers import MONDAY


def test_an_answered_request_is_known(journal: Journal) -> None:
    note_answered(journal, "v0=1", MONDAY)
    note_answered(journal, "v0=1", MONDAY)

    assert is_answered(journal, "v0=1")
    assert not is_answered(journal, "v0=2")


def test_what_is_too_old_to_be_used_again_is_forgotten(journal: Journal) -> None:
    note_answered(journal, "v0=1", MONDAY)

    forget_answered(journal, MONDAY + KEPT * 2)

    assert not is_answered(journal, "v0=1")
