"""Changing keys: everything that is sealed is sealed anew with the newest one."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, select, update

from bot.journal.open import Journal
from bot.journal.sealing import Seal, SealError, is_sealed
from bot.journal.tables import entries, installations

_MOST = 500  # rows in one transaction, so that others get in between


def reseal(journal: Journal) -> int:
    """Seal installations, and pastes where they are to be sealed, with the newest key; return how many there were.

    Raises:
        SealError: None of the keys opens something that is stored.
    """
    if journal.seal is None:
        raise SealError("VLLM_TRIAGE_ENCRYPTION_KEY is not set.")
    sealed = _reseal(journal, journal.seal, installations.c.workspace, installations.c.sealed, seals_plain=True)
    return sealed + _reseal(journal, journal.seal, entries.c.id, entries.c.text, seals_plain=journal.seals_pastes)


def _reseal(journal: Journal, seal: Seal, key: Column[Any], column: Column[str], *, seals_plain: bool) -> int:
    count, last = 0, None
    while True:
        query = select(key, column).order_by(key).limit(_MOST)
        with journal.writing() as connection:
            rows = connection.execute(query if last is None else query.where(key > last)).all()
            for name, text in rows:
                if text and (seals_plain or is_sealed(text)):
                    fresh = seal.seal(seal.open(text))
                    connection.execute(update(key.table).where(key == name).values({column.name: fresh}))
                    count += 1
        if not rows:
            return count
        last = rows[-1][0]
