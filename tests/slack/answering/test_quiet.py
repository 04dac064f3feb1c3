from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.case import Entry, EntryKind, Thread, fold
from bot.incident import Incident
from bot.journal.entries import entries, remember
from bot.journal.incidents import file
from bot.journal.open import Journal, open_journal
from bot.settings import Settings
from bot.slack.answering.quiet import tend_quiet_cases
from bot.slack.api.client import client
from bot.slack.desk import Desk, now

THREAD = Thread(workspace="T1", channel="C1", root="1764000000.000100")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")


@pytest.fixture
def desk(journal: Journal) -> Desk:
    opened = now()
    paste = Entry(kind=EntryKind.PASTE, at=opened, message=THREAD.root, text="CUDA out of memory")
    remember(journal, THREAD, paste, ["message:1"])
    file(journal, Incident(thread=THREAD, opened_at=opened))
    return Desk(journal=journal, client=client(Settings(), "xoxb-1"), bot_user="U1")


def days_later(desk: Desk, days: float) -> Desk:
    return replace(desk, clock=lambda: now() + timedelta(days=days))


def test_a_case_is_left_alone_while_it_is_young(desk: Desk) -> None:
    tend_quiet_cases(days_later(desk, 2))

    assert {} == fold(entries(desk.journal, THREAD)).notices


def test_a_quiet_case_gets_one_reminder(desk: Desk) -> None:
    for days in (3.5, 4, 5):
        tend_quiet_cases(days_later(desk, days))

    assert [entry.kind for entry in entries(desk.journal, THREAD)] == [EntryKind.PASTE, EntryKind.NOTICE]


def test_a_case_that_stays_quiet_closes_itself(desk: Desk) -> None:
    tend_quiet_cases(days_later(desk, 8))

    case = fold(entries(desk.journal, THREAD))
    assert ("resolved", None) == (case.state, case.resolver)


def test_a_word_in_the_thread_keeps_it_open(desk: Desk) -> None:
    reply = Entry(kind=EntryKind.REPLY, at=now() + timedelta(days=6), message="1764500000.000100", text="still broken")
    remember(desk.journal, THREAD, reply, ["message:2"])

    tend_quiet_cases(days_later(desk, 8))

    assert "open" == fold(entries(desk.journal, THREAD)).state
