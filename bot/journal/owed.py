"""Which threads are owed an answer, and who is working on which: a lease a thread keeps its answers in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, and_, or_, select, update

from bot.case import Thread
from bot.journal.open import Journal
from bot.journal.tables import cases

LEASE = timedelta(seconds=45)  # a worker that dies gives its threads back after this


@dataclass(frozen=True)
class Owed:
    """A thread claimed by one worker: `taken` entries were there when it was claimed."""

    thread: Thread
    taken: int
    attempts: int
    worker: str


def claim(journal: Journal, worker: str, now: datetime) -> Owed | None:
    """Claim the thread that has waited longest, or return None when nothing is due."""
    with journal.engine.connect() as connection:
        waiting = connection.execute(_due(now).limit(20)).mappings().all()
    for row in waiting:
        thread = Thread(workspace=row["workspace"], channel=row["channel"], root=row["root"])
        taken = _take(journal, thread, worker, now)
        if taken is not None:
            return Owed(thread, taken, row["attempts"], worker)
    return None


def _is_due(now: datetime) -> Any:
    free = or_(cases.c.claimed_until.is_(None), cases.c.claimed_until < now)
    return and_(cases.c.taken > cases.c.answered, or_(cases.c.due_at.is_(None), cases.c.due_at <= now), free)


def _due(now: datetime) -> Select[Any]:
    return select(cases).where(_is_due(now)).order_by(cases.c.due_at, cases.c.root)


def _take(journal: Journal, thread: Thread, worker: str, now: datetime) -> int | None:
    claiming = (
        update(cases)
        .filter_by(**thread.model_dump())
        .where(_is_due(now))
        .values(claimed_by=worker, claimed_until=now + LEASE)
        .returning(cases.c.taken)
    )
    with journal.writing() as connection:
        return connection.execute(claiming).scalar_one_or_none()


def settle(journal: Journal, owed: Owed) -> None:
    """Say that everything taken before the claim is answered."""
    _release(journal, owed, answered=owed.taken, attempts=0, due_at=None)


def postpone(journal: Journal, owed: Owed, until: datetime, *, is_failure: bool = True) -> None:
    """Give the thread back, not to be claimed before `until`; only failures count as attempts."""
    _release(journal, owed, attempts=owed.attempts + is_failure, due_at=until)


def _release(journal: Journal, owed: Owed, **values: Any) -> None:
    releasing = (
        update(cases)
        .filter_by(**owed.thread.model_dump(), claimed_by=owed.worker)
        .values(claimed_by=None, claimed_until=None, **values)
    )
    with journal.writing() as connection:
        connection.execute(releasing)


def release_all(journal: Journal) -> None:
    """Take back what an earlier process held; only where there is one process, as on SQLite."""
    with journal.writing() as connection:
        connection.execute(update(cases).values(claimed_by=None, claimed_until=None))


def next_due(journal: Journal) -> datetime | None:
    """Return when the earliest postponed thread is due, or None when none is."""
    query = select(cases.c.due_at).where(cases.c.taken > cases.c.answered, cases.c.due_at.is_not(None))
    with journal.engine.connect() as connection:
        return connection.execute(query.order_by(cases.c.due_at).limit(1)).scalar_one_or_none()
