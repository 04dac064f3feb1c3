"""Bringing a database to the newest revision, from inside the program."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

_HERE = Path(__file__).resolve().parent.parent
# Beside `bot` both in a checkout and in an installed wheel.
MIGRATIONS = _HERE.parent / "migrations"


def configuration(engine: Engine) -> Config:
    """Return Alembic's settings for that database."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["engine"] = engine
    return config


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that the database lacks, up to `revision`."""
    command.upgrade(configuration(engine), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Run migrations backwards, down to `revision`."""
    command.downgrade(configuration(engine), revision)
