"""How a database is, for whoever operates it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import DateTime, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from bot.journal.upgrade import current


class Health(NamedTuple):
    """What a look at a database showed."""

    where: str  # its address without the password
    error: str | None = None  # why it cannot be reached
    revision: str | None = None  # None: empty
    seconds_ahead: float = 0.0  # of our clock before its own
    folder: Path | None = None  # where a SQLite file is


def look_at(engine: Engine, now: datetime | None = None) -> Health:
    """Return how the database of an engine is; a database that is away is told, not raised."""
    where = engine.url.render_as_string(hide_password=True)
    file = _file(engine)
    folder = file.parent if file else None
    try:
        ahead = 0.0 if engine.dialect.name == "sqlite" else _seconds_ahead(engine, now)
        return Health(where, revision=current(engine), seconds_ahead=ahead, folder=folder)
    except SQLAlchemyError as error:
        return Health(where, error=str(getattr(error, "orig", None) or error).partition("\n")[0], folder=folder)


def is_in_place(engine: Engine) -> bool:
    """Return whether a SQLite file is still where it was opened: what is written to one that was deleted is lost."""
    file = _file(engine)
    return file is None or file.exists()


def _file(engine: Engine) -> Path | None:
    if engine.dialect.name != "sqlite" or engine.url.database in {None, "", ":memory:"}:
        return None
    return Path(str(engine.url.database)).expanduser().resolve()


def _seconds_ahead(engine: Engine, now: datetime | None) -> float:
    with engine.connect() as connection:
        its = connection.execute(select(func.clock_timestamp(type_=DateTime(timezone=True)))).scalar_one()
    return ((now or datetime.now(UTC)) - its).total_seconds()
