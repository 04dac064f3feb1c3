"""Open cases that nobody has said anything in for a while."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, func, select

from bot.case import OURS, EntryKind, Thread
from bot.journal.open import Journal
from bot.journal.tables import entries, incidents
from bot.journal.threads import PLACE, same_thread

_PEOPLE = [kind.value for kind in EntryKind if kind not in OURS]


def quiet_since(journal: Journal, moment: datetime) -> tuple[Thread, ...]:
    """Return the open cases in which no person said or did anything after `moment`."""
    place = [incidents.c[name] for name in PLACE]
    query = (
        select(*place)
        .join(entries, and_(same_thread(entries, incidents), entries.c.kind.in_(_PEOPLE)))
        .where(incidents.c.state == "open", incidents.c.opened_at <= moment)
        .group_by(*place)
        .having(func.max(entries.c.at) <= moment)
        .limit(200)
    )
    with journal.engine.connect() as connection:
        return tuple(Thread(**row) for row in connection.execute(query).mappings())
