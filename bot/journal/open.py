"""A journal on SQLite or PostgreSQL, brought to the present by its migrations."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from bot.journal.refusals import refused
from bot.journal.sealing import Seal
from bot.journal.upgrade import is_at_head, upgrade

_MAPPED = f"mmap_size={2**30}"


@dataclass(frozen=True)
class Journal:
    """An open database; every verb of this package takes it first."""

    engine: Engine
    seal: Seal | None = None
    seals_pastes: bool = False
    # SQLite lets one writer in and makes the others poll; in one process they may as well stand in line.
    _line: Lock = field(default_factory=Lock)

    @property
    def has_one_process(self) -> bool:
        """Whether only one process works on it; more than one need PostgreSQL."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """Open a transaction that writes; it ends with the block."""
        with self._line if self.has_one_process else nullcontext(), self.engine.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close its connections."""
        self.engine.dispose()


def open_journal(url: str, seal: Seal | None = None, *, seals_pastes: bool = False) -> Journal:
    """Open the database at a SQLAlchemy address and bring its tables to the present.

    Raises:
        sqlalchemy.exc.OperationalError: The database cannot be reached.
    """
    engine = connect(url)
    # A database that our successor has migrated stays as it is: old and new run side by side while we are replaced.
    if not is_at_head(engine):
        upgrade(engine)
    return Journal(engine, seal, seals_pastes)


def connect(url: str) -> Engine:
    """Return an engine for that address; plain "postgresql://" means psycopg 3.

    Raises:
        AddressError: It is no address of a SQLite or PostgreSQL database.
    """
    address = _address(url)
    if address.drivername in {"postgres", "postgresql"}:
        address = address.set(drivername="postgresql+psycopg")
    if address.get_backend_name() != "sqlite":
        # Fifteen at most: six processes stay below the hundred that PostgreSQL lets in by default.
        return create_engine(address, pool_pre_ping=True, pool_size=5, max_overflow=10, hide_parameters=True)
    if address.database not in {None, "", ":memory:"}:
        _make_room(Path(str(address.database)).expanduser().parent)
    engine = create_engine(address, connect_args={"timeout": 30}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise refused("no address of a database", "it has no form like kind://place") from None
    if address.drivername.partition("+")[0] not in {"sqlite", "postgres", "postgresql"}:
        raise refused(f"of the kind {address.drivername}", "the journal is on SQLite or PostgreSQL")
    return address


def _make_room(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(f"in {folder}", f"this folder cannot be made ({error.strerror})") from error


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    # WAL lets readers go on while one writes; NORMAL loses nothing but the last moments of a power cut. A week of a
    # large journal lies on thousands of pages: mapped, each is a look into memory and no call of the system.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=30000", _MAPPED):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
