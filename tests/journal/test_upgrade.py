from __future__ import annotations

import pytest
from alembic import command
from alembic.util.exc import CommandError
from sqlalchemy import inspect

from bot.journal.open import connect, open_journal
from bot.journal.tables import metadata
from bot.journal.upgrade import configuration, downgrade, upgrade


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

    assert inspect(engine).get_table_names() == ["alembic_version"]
    engine.dispose()
