"""Keeping a second process off a SQLite file, where each would take the other for dead."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bot.journal.open import Journal


class InUseError(Exception):
    """Another process serves the same file; the sentence says what to do."""


@contextmanager
def only_process(journal: Journal) -> Generator[None]:
    """Hold a SQLite journal for this process until the block ends; PostgreSQL is for many and held by none.

    Raises:
        InUseError: Another process holds it.
    """
    name = journal.engine.url.database
    if not journal.has_one_process or name in {None, "", ":memory:"}:
        yield
        return
    import fcntl  # noqa: PLC0415  not on every system

    path = Path(f"{name}.lock").expanduser()
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUseError(
                f"Another process serves {name}. SQLite is for one: stop the other, or set DATABASE_URL to a PostgreSQL."
            ) from error
        yield
