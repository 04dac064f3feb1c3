"""Which threads are owed an answer, and who is working on which: a lease a thread keeps its answers in order."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import and_, func, or_, select, tuple_, update

from bot.case import Thread
from bot.journal.open import Journal
from bot.journal.tables import cases, entries
from bot.journal.threads import PLACE, same_thread

LEASE = timedelta(seconds=30)  # a worker that dies gives its threads back after this; one that lives renews it


class Owed(NamedTuple):
    """A thread claimed by one worker: `taken` entries were there when it was claimed."""

    thread: Thread
    taken: int
    attempts: int
    worker: str


def claim(journal: Journal, worker: str, now: datetime) -> Owed | None:
    """Claim the thread that has waited longest, or return None when nothing is due.

    One statement, so that two workers never hold the same thread; PostgreSQL lets them step past each other's rows.
    """
    key = [cases.c[name] for name in PLACE]
    longest = select(*key).where(_is_due(now)).order_by(cases.c.due_at.nulls_first(), cases.c.root).limit(1)
    first = longest.with_for_update(skip_locked=True).cte("first")  # locked in a CTE: PostgreSQL runs it just once
    claiming = (
        update(cases)
        .where(tuple_(*key).in_(select(first)))
        .values(claimed_by=worker, claimed_until=now + LEASE)
        .returning(*key, cases.c.taken, cases.c.attempts)
    )
    with journal.writing() as connection:
        row = connection.execute(claiming).mappings().first()
    if row is None:
        return None
    thread = Thread(**{name: row[name] for name in PLACE})
    return Owed(thread, row["taken"], row["attempts"], worker)


def _is_due(now: datetime) -> Any:
    free = or_(cases.c.claimed_until.is_(None), cases.c.claimed_until < now)
    return and_(cases.c.taken > cases.c.answered, or_(cases.c.due_at.is_(None), cases.c.due_at <= now), free)


def renew(journal: Journal, owed: Owed, now: datetime) -> bool:
    """Hold a claim for another lease; False when it was lost."""
    renewing = (
        update(cases)
        .filter_by(**owed.thread.model_dump(), claimed_by=owed.worker)
        .values(claimed_until=now + LEASE)
        .returning(cases.c.root)
    )
    with journal.writing() as connection:
        return connection.execute(renewing).first() is not None


def owe_again(journal: Journal, thread: Thread) -> None:
    """Say that a thread is to be attended to once more, though nothing was said in it."""
    again = update(cases).filter_by(**thread.model_dump()).values(taken=cases.c.taken + 1)
    with journal.writing() as connection:
        connection.execute(again)


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


def oldest_owed(journal: Journal) -> tuple[int, datetime | None]:
    """Return how many threads are owed an answer, and when the last thing was said in the one that waits longest."""
    waiting = select(func.max(entries.c.at).label("at")).join(cases, same_thread(entries, cases))
    waiting = waiting.where(cases.c.taken > cases.c.answered)
    threads = waiting.group_by(*(cases.c[name] for name in PLACE)).subquery()
    with journal.engine.connect() as connection:
        count, oldest = connection.execute(select(func.count(), func.min(threads.c.at))).one()
    return count, oldest
