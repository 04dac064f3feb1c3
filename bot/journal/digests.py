"""Which digests were sent: a slot is claimed by one row, so that each is sent once whatever the number of senders."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, update

from bot.deployment import Frozen
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import digest_slots


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


def fill_slot(journal: Journal, slot: Slot, message: str) -> None:
    """Write down as which message it was sent."""
    with journal.writing() as connection:
        connection.execute(update(digest_slots).filter_by(**slot.model_dump()).values(message=message))


def free_slot(journal: Journal, slot: Slot) -> None:
    """Give a slot back whose digest Slack refused."""
    with journal.writing() as connection:
        connection.execute(delete(digest_slots).filter_by(**slot.model_dump()))
