from __future__ import annotations

from pathlib import Path

from bot.journal.health import is_in_place
from bot.journal.open import open_journal


def test_a_file_that_was_deleted_while_it_is_open_is_not_in_place(tmp_path: Path) -> None:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    before = is_in_place(journal.engine)
    (tmp_path / "journal.sqlite3").unlink()

    assert (True, False) == (before, is_in_place(journal.engine))
    journal.close()


def test_a_journal_that_is_no_file_is_always_in_place() -> None:
    journal = open_journal("sqlite://")

    assert is_in_place(journal.engine)
    journal.close()
