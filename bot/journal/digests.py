"""Which digests were sent: a slot is claimed by one row, so that each is sent once whatever the number of senders."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update

from bot.frozen import Frozen
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import digest_slots

LEASE = timedelta(seconds=60)  # a sender that has not said what came of it by then has died


class Slot(Frozen):
    """One team's digest of one week in one channel."""

    workspace: str
    team: str
    channel: str
    week: str


def claim_slot(journal: Journal, slot: Slot, now: datetime) -> bool:
    """Claim a digest; False when somebody sent it, or is at it."""
    with journal.writing() as connection:
        adding = insert_or(connection, digest_slots).values(**slot.model_dump(), claimed_at=now)
        claimed = adding.on_conflict_do_nothing().returning(digest_slots.c.week)
        return connection.execute(claimed).first() is not None


def take_over_slot(journal: Journal, slot: Slot, now: datetime) -> datetime | None:
    """Claim a digest whose sender died; return when that one claimed it, or None when there is nothing to take over."""
    held = select(digest_slots.c.claimed_at).filter_by(**slot.model_dump(), message=None)
    with journal.writing() as connection:
        since = connection.execute(held.where(digest_slots.c.claimed_at < now - LEASE)).scalar_one_or_none()
        if since is None:
            return None
        # One of many gets it: the others find that the time they read is not there any more.
        taking = update(digest_slots).filter_by(**slot.model_dump(), message=None, claimed_at=since)
        taken = connection.execute(taking.values(claimed_at=now).returning(digest_slots.c.week)).first()
    return since if taken else None


def fill_slot(journal: Journal, slot: Slot, message: str) -> None:
    """Write down as which message it was sent."""
    with journal.writing() as connection:
        connection.execute(update(digest_slots).filter_by(**slot.model_dump()).values(message=message))


def free_slot(journal: Journal, slot: Slot) -> None:
    """Give a slot back whose digest Slack refused."""
    with journal.writing() as connection:
        connection.execute(delete(digest_slots).filter_by(**slot.model_dump()))


def is_sent(journal: Journal, slot: Slot) -> bool:
    """Return whether that digest was sent."""
    query = select(digest_slots.c.message).filter_by(**slot.model_dump())
    with journal.engine.connect() as connection:
        return connection.execute(query).scalar_one_or_none() is not None


def last_sent(journal: Journal) -> datetime | None:
    """Return when the newest digest was sent, or None before the first."""
    query = select(func.max(digest_slots.c.claimed_at)).where(digest_slots.c.message.is_not(None))
    with journal.engine.connect() as connection:
        return connection.execute(query).scalar_one_or_none()
