from __future__ import annotations

from pathlib import Path

import pytest

from bot.journal.open import open_journal
from bot.journal.sole import InUseError, only_process


def test_a_second_process_on_a_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")

    with only_process(journal), pytest.raises(InUseError, match="DATABASE_URL"), only_process(journal):
        pass

    with only_process(journal):  # the first one has let go
        pass
    journal.close()


@pytest.mark.postgres
def test_postgresql_is_for_many(postgres_url: str) -> None:
    journal = open_journal(postgres_url)

    with only_process(journal), only_process(journal):
        pass

    journal.close()
