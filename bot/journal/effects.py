"""What we do to the outside world: written down before it is done, so that a crash in between is noticed."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, select, update

from bot.case import Thread
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import effects


class Effect(NamedTuple):
    """One thing posted for one purpose in one thread."""

    is_done: bool
    at: datetime  # when it was begun
    message: str | None = None  # its timestamp, where it is known
    digest: str | None = None  # of what it says


def effect(journal: Journal, thread: Thread, purpose: str) -> Effect | None:
    """Return what was begun or done for that purpose, or None."""
    query = select(effects).filter_by(**thread.model_dump(), purpose=purpose)
    with journal.engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return Effect(row["state"] == "done", row["at"], row["message"], row["digest"]) if row else None


def purposes(journal: Journal, thread: Thread, among: Collection[str]) -> frozenset[str]:
    """Return for which of these purposes anything was begun or done in a thread."""
    query = select(effects.c.purpose).filter_by(**thread.model_dump()).where(effects.c.purpose.in_(among))
    with journal.engine.connect() as connection:
        return frozenset(connection.execute(query).scalars())


def record(journal: Journal, thread: Thread, purpose: str, now: datetime) -> None:
    """Write down what was done already, and what nobody need look for."""
    with journal.writing() as connection:
        row = {**thread.model_dump(), "purpose": purpose, "state": "done", "at": now}
        connection.execute(insert_or(connection, effects).values(row).on_conflict_do_nothing())


def begin(journal: Journal, thread: Thread, purpose: str, now: datetime) -> bool:
    """Write down that it is about to be done; False when somebody began it before."""
    with journal.writing() as connection:
        row = {**thread.model_dump(), "purpose": purpose, "state": "begun", "at": now}
        adding = insert_or(connection, effects).values(row).on_conflict_do_nothing()
        return connection.execute(adding.returning(effects.c.purpose)).first() is not None


def finish(journal: Journal, thread: Thread, purpose: str, *, message: str | None, digest: str | None = None) -> None:
    """Write down that it is done, and as which message."""
    change = update(effects).filter_by(**thread.model_dump(), purpose=purpose)
    with journal.writing() as connection:
        connection.execute(change.values(state="done", message=message, digest=digest))


def undo(journal: Journal, thread: Thread, purpose: str) -> None:
    """Forget an effect that was refused or taken back, so that it may be done again."""
    with journal.writing() as connection:
        connection.execute(delete(effects).filter_by(**thread.model_dump(), purpose=purpose))
