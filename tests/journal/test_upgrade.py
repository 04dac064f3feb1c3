from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.util.exc import CommandError
from sqlalchemy import event, inspect
from sqlalchemy.exc import OperationalError

from bot.journal.open import connect, open_journal
from bot.journal.tables import metadata
from bot.journal.upgrade import configuration, current, downgrade, head, upgrade


def test_the_migrations_make_the_tables_that_the_code_reads(url: str) -> None:
    journal = open_journal(url)

    try:
        command.check(configuration(journal.engine))  # raises CommandError with what differs
    except CommandError as difference:
        pytest.fail(str(difference))
    finally:
        journal.close()


def test_migrating_twice_changes_nothing(url: str) -> None:
    open_journal(url).close()

    journal = open_journal(url)

    assert set(metadata.tables) | {"alembic_version"} == set(inspect(journal.engine).get_table_names())
    journal.close()


def test_the_way_back_leaves_nothing_behind(url: str) -> None:
    engine = connect(url)
    upgrade(engine)

    downgrade(engine, "base")

    assert ["alembic_version"] == inspect(engine).get_table_names()
    engine.dispose()


def test_a_migration_that_the_disk_had_no_room_for_is_begun_anew(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    narrow = connect(url)
    event.listen(narrow, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count=8"))
    with pytest.raises(OperationalError, match="full"):
        upgrade(narrow)
    narrow.dispose()

    engine = connect(url)
    upgrade(engine)

    assert head() == current(engine)
    engine.dispose()
