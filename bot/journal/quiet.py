"""Open cases that nobody has said anything in for a while."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, func, select

from bot.case import EntryKind, Thread
from bot.journal.open import Journal
from bot.journal.tables import entries, incidents

_PEOPLE = [
    kind.value
    for kind in EntryKind
    if kind not in {EntryKind.ASKED, EntryKind.POSTED, EntryKind.NOTICE, EntryKind.FILE, EntryKind.UNREADABLE}
]


def quiet_since(journal: Journal, moment: datetime) -> tuple[Thread, ...]:
    """Return the open cases in which no person said or did anything after `moment`."""
    place = (incidents.c.workspace, incidents.c.channel, incidents.c.root)
    same = and_(*(entries.c[column.name] == column for column in place))
    query = (
        select(*place)
        .join(entries, and_(same, entries.c.kind.in_(_PEOPLE)))
        .where(incidents.c.state == "open", incidents.c.opened_at <= moment)
        .group_by(*place)
        .having(func.max(entries.c.at) <= moment)
        .limit(200)
    )
    with journal.engine.connect() as connection:
        return tuple(Thread(**row) for row in connection.execute(query).mappings())
