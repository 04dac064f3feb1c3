"""Databases of every earlier revision, with data in them, brought to the present and back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, insert, select

from bot.case import EntryKind
from bot.journal.channels import channel
from bot.journal.entries import entries
from bot.journal.incidents import file, week
from bot.journal.open import Journal, connect, open_journal
from bot.journal.teams import Team, all_teams, set_team
from bot.journal.upgrade import MIGRATIONS, current, downgrade, head, upgrade
from tests.journal.makers import MONDAY, a_thread, an_incident

THREAD = a_thread()
EARLIER = [script.revision for script in ScriptDirectory(MIGRATIONS).walk_revisions()][1:]
ANSWERED = MONDAY + timedelta(seconds=5)
OLD = {
    "channels": [{"workspace": "T1", "id": "C1", "name": "help", "mode": "auto", "is_private": False, "team": "ml"}],
    "entries": [
        {"kind": "paste", "at": MONDAY, "author": "U1", "message": THREAD.root, "text": "the error"},
        {"kind": "posted", "at": ANSWERED, "author": None, "message": "9", "text": ""},
    ],
    "incidents": [
        {"root": str(days), "state": "open", "opened_at": MONDAY + timedelta(days=days), "model": "m", "gpu": "L4"}
        for days in range(3)
    ],
}


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    opened = connect(url)
    yield opened
    opened.dispose()


def fill(engine: Engine) -> None:
    """Write rows as a program of that revision did, with no more columns than it knew."""
    tables = MetaData()
    tables.reflect(engine)
    thread = THREAD.model_dump()
    with engine.begin() as connection:
        for name, rows in OLD.items():
            more: dict[str, Any] = {} if name == "channels" else thread
            if name == "incidents":
                more = {**thread, "confidence": "high"}
            for row in rows:
                values = {key: _moment(engine, value) for key, value in {**more, **row}.items()}
                connection.execute(insert(tables.tables[name]).values(values))


def _moment(engine: Engine, value: Any) -> Any:
    is_lite = engine.dialect.name == "sqlite" and isinstance(value, datetime)
    return value.astimezone(UTC).replace(tzinfo=None) if is_lite else value


@pytest.mark.parametrize("revision", EARLIER)
def test_what_an_earlier_revision_kept_is_there(engine: Engine, revision: str) -> None:
    upgrade(engine, revision)
    fill(engine)

    upgrade(engine)

    journal = Journal(engine)
    assert head() == current(engine)
    assert [EntryKind.PASTE, EntryKind.POSTED] == [entry.kind for entry in entries(journal, THREAD)]
    assert ("auto", "ml") == (channel(journal, "T1", "C1").mode, channel(journal, "T1", "C1").team)


@pytest.mark.parametrize("revision", EARLIER)
def test_a_week_of_an_earlier_revision_is_told_as_it_would_be_today(engine: Engine, revision: str) -> None:
    upgrade(engine, revision)
    fill(engine)

    upgrade(engine)

    told = week(Journal(engine), "T1", MONDAY, MONDAY + timedelta(days=7), "ml")
    assert [("0", "m", "L4"), ("1", "m", "L4"), ("2", "m", "L4")] == [
        (row.thread.root, row.model, row.gpu) for row in told
    ]


def test_the_teams_that_channels_named_are_teams(engine: Engine) -> None:
    upgrade(engine, "0001")
    fill(engine)

    upgrade(engine)

    assert (Team(workspace="T1", name="ml"),) == all_teams(Journal(engine))


def test_an_answer_that_was_given_is_known_to_have_been(engine: Engine) -> None:
    upgrade(engine, "0002")
    fill(engine)
    tables = MetaData()
    tables.reflect(engine)
    with engine.begin() as connection:
        row = {**THREAD.model_dump(), **OLD["incidents"][0], "root": THREAD.root, "confidence": "high"}
        connection.execute(insert(tables.tables["incidents"]).values({k: _moment(engine, v) for k, v in row.items()}))

    upgrade(engine)

    answered = [row.answered_at for row in week(Journal(engine), "T1", MONDAY, MONDAY + timedelta(days=7))]
    assert {None, ANSWERED} == set(answered)


def test_the_way_back_keeps_the_incidents(url: str) -> None:
    journal = open_journal(url)
    file(journal, an_incident(model="m", patch={"max_model_len": 4096}))

    downgrade(journal.engine, "0002")

    tables = MetaData()
    tables.reflect(journal.engine)
    with journal.engine.connect() as connection:
        assert ["m"] == list(connection.execute(select(tables.tables["incidents"].c.model)).scalars())
    journal.close()


def test_the_way_back_is_refused_where_it_would_lose_what_people_set(url: str) -> None:
    journal = open_journal(url)
    set_team(journal, Team(workspace="T1", name="ml", zone="Europe/Berlin"))

    with pytest.raises(RuntimeError, match="team export"):
        downgrade(journal.engine, "0002")

    assert (head(), 1) == (current(journal.engine), len(all_teams(journal)))
    journal.close()


@pytest.mark.parametrize("revision", EARLIER)
def test_a_program_of_an_earlier_revision_goes_on_writing_while_it_is_replaced(engine: Engine, revision: str) -> None:
    upgrade(engine, revision)
    older = MetaData()
    older.reflect(engine)
    upgrade(engine)

    fill(engine)  # names no column that is newer than the first revision
    with engine.connect() as connection:  # and what it reads is there
        read = {name: connection.execute(select(older.tables[name])).all() for name in OLD}

    journal = Journal(engine)
    assert {name: len(rows) for name, rows in OLD.items()} == {name: len(rows) for name, rows in read.items()}
    assert 3 == len(week(journal, "T1", MONDAY, MONDAY + timedelta(days=7)))
    assert ("auto", "ml") == (channel(journal, "T1", "C1").mode, channel(journal, "T1", "C1").team)


def test_a_database_that_a_successor_has_migrated_is_used_as_it_is(url: str) -> None:
    open_journal(url).close()
    engine = connect(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE incidents ADD COLUMN of_the_future text")
        connection.exec_driver_sql("CREATE TABLE of_the_future (id integer)")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    journal = open_journal(url)
    file(journal, an_incident())

    assert "9999" == current(engine)
    assert 1 == len(week(journal, "T1", MONDAY - timedelta(days=7), MONDAY + timedelta(days=7)))
    journal.close()
    engine.dispose()
