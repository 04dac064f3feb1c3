"""Which signed requests were answered, for as long as their signature could be used again."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, select

from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import answered_requests

# Slack's timestamps are refused when they are five minutes off, either way.
KEPT = timedelta(minutes=15)


def is_answered(journal: Journal, signature: str) -> bool:
    """Return whether a request with that signature was answered."""
    query = select(answered_requests.c.at).filter_by(signature=signature)
    with journal.engine.connect() as connection:
        return connection.execute(query).first() is not None


def note_answered(journal: Journal, signature: str, now: datetime) -> None:
    """Write down that a request was answered."""
    with journal.writing() as connection:
        adding = insert_or(connection, answered_requests).values(signature=signature, at=now)
        connection.execute(adding.on_conflict_do_nothing())


def forget_answered(journal: Journal, now: datetime) -> None:
    """Forget the signatures that are too old to be used again."""
    with journal.writing() as connection:
        connection.execute(delete(answered_requests).where(answered_requests.c.at < now - KEPT))
