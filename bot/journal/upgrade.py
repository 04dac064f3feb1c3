"""Bringing a database to the newest revision, from inside the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

_HERE = Path(__file__).resolve().parent.parent
# Beside `bot` both in a checkout and in an installed wheel.
MIGRATIONS = _HERE.parent / "migrations"


def configuration(engine: Engine | None = None) -> Config:
    """Return Alembic's settings, for a database where one is to be migrated."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["engine"] = engine
    return config


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that the database lacks, up to `revision`."""
    command.upgrade(configuration(engine), revision)


@cache
def head() -> str:
    """Return the newest revision that this program knows."""
    return ScriptDirectory.from_config(configuration()).get_current_head() or ""


def current(engine: Engine) -> str | None:
    """Return the revision that a database is at, or None when it is empty."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def is_at_head(engine: Engine) -> bool:
    """Return whether a database has every migration that this program knows, or newer ones of its successor."""
    at = current(engine)
    return at is not None and at >= head()


def downgrade(engine: Engine, revision: str) -> None:
    """Run migrations backwards, down to `revision`."""
    command.downgrade(configuration(engine), revision)
