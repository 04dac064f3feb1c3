from __future__ import annotations

from datetime import timedelta

import pytest

from bot.case import EntryKind
from bot.journal.entries import remember
from bot.journal.incidents import file
from bot.journal.open import Journal
from bot.journal.quiet import quiet_since
from tests.journal.makers import MONDAY, a_thread, an_entry, an_incident

AN_HOUR_LATER = MONDAY + timedelta(hours=1)


@pytest.fixture
def case(journal: Journal) -> Journal:
    """A journal with one open case that was opened on Monday."""
    remember(journal, a_thread(), an_entry(), ["paste"])
    file(journal, an_incident())
    return journal


def test_a_case_is_quiet_when_nobody_says_anything(case: Journal) -> None:
    assert (a_thread(),) == quiet_since(case, AN_HOUR_LATER)


def test_what_a_person_says_makes_it_loud(case: Journal) -> None:
    remember(case, a_thread(), an_entry(EntryKind.REPLY, minutes=90, message="2"), ["reply"])

    assert () == quiet_since(case, AN_HOUR_LATER)


@pytest.mark.parametrize("kind", [EntryKind.POSTED, EntryKind.INVITED, EntryKind.NOTICE])
def test_our_own_doing_does_not(case: Journal, kind: EntryKind) -> None:
    remember(case, a_thread(), an_entry(kind, minutes=90, message="2"), ["ours"])

    assert (a_thread(),) == quiet_since(case, AN_HOUR_LATER)


def test_a_resolved_case_is_never_asked_after(case: Journal) -> None:
    file(case, an_incident(state="resolved"))

    assert () == quiet_since(case, AN_HOUR_LATER)
