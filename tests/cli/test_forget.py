from __future__ import annotations

from datetime import UTC, datetime

from bot.case import Entry, EntryKind, Thread
from bot.journal.entries import entries, remember
from bot.journal.open import Journal
from bot.journal.teams import Team, set_team
from tests.cli.conftest import Run

THREAD = Thread(workspace="T1", channel="C1", root="1")


def a_paste(journal: Journal) -> None:
    said = Entry(kind=EntryKind.PASTE, at=datetime(2020, 1, 1, tzinfo=UTC), author="U1", message="1", text="my error")
    remember(journal, THREAD, said, ["m:1"])


def test_a_person_is_forgotten_when_somebody_means_it(run: Run, journal: Journal) -> None:
    a_paste(journal)

    run("forget", "user", "U1", "--workspace", "T1", text="n\n")
    assert "my error" in str(entries(journal, THREAD))

    run("forget", "user", "U1", "--workspace", "T1", text="y\n")
    assert "my error" not in str(entries(journal, THREAD))


def test_a_channel_is_forgotten_and_counted(run: Run, journal: Journal) -> None:
    a_paste(journal)

    assert "1 entries, 1 threads" in run("forget", "channel", "C1", "--workspace", "T1", "--yes").output


def test_what_has_expired_is_forgotten(run: Run, journal: Journal) -> None:
    a_paste(journal)
    set_team(journal, Team(workspace="T1", name="T1", retention_days=365))

    assert "1 entries, 1 threads" in run("forget", "expired").output
    assert () == entries(journal, THREAD)
