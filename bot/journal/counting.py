"""Incidents counted where they lie: by week, over the last days, still open, never seen before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlalchemy import bindparam, case, func, select

from bot.frozen import Frozen
from bot.incident import Incident
from bot.journal.incidents import COUNTED, IS_OPEN, as_incident
from bot.journal.open import Journal
from bot.journal.tables import incidents


class Lately(Frozen):
    """How some days went: all incidents, those open, and the most frequent titles with their counts."""

    count: int = 0
    open: int = 0
    titles: tuple[tuple[str | None, int], ...] = ()


def lately(journal: Journal, workspace: str, since: datetime, team: str | None = None) -> Lately:
    """Return how the days since a moment went, of one team or of all."""
    is_open = func.sum(case((incidents.c.state == "open", 1), else_=0))
    count = func.count()
    query = select(incidents.c.title, count, is_open).where(*_counted(workspace, team))
    query = query.where(incidents.c.opened_at >= since).group_by(incidents.c.title).order_by(count.desc())
    with journal.engine.connect() as connection:
        rows = [(title, int(number), int(left)) for title, number, left in connection.execute(query)]
    return Lately(
        count=sum(number for _, number, _ in rows),
        open=sum(left for *_, left in rows),
        titles=tuple((title, number) for title, number, _ in rows[:5]),
    )


def by_week(journal: Journal, workspace: str, begins: Sequence[datetime], team: str | None = None) -> tuple[int, ...]:
    """Return how many incidents were opened from each moment to the next; the last moment only ends the one before."""
    weeks = list(pairwise(begins))
    if not weeks:
        return ()
    number = case(*((incidents.c.opened_at < end, place) for place, (_, end) in enumerate(weeks)))
    query = select(number, func.count()).where(*_counted(workspace, team)).group_by(number)
    query = query.where(incidents.c.opened_at >= begins[0], incidents.c.opened_at < begins[-1])
    with journal.engine.connect() as connection:
        counts = {place: count for place, count in connection.execute(query)}  # noqa: C416 - rows, not pairs
    return tuple(counts.get(place, 0) for place in range(len(weeks)))


def left_open(
    journal: Journal, workspace: str, until: datetime, team: str | None = None, most: int = 20
) -> tuple[int, tuple[Incident, ...]]:
    """Return how many incidents opened before a moment are open still, and the newest of them."""
    conditions = [incidents.c.workspace == workspace, IS_OPEN, incidents.c.opened_at < until]
    if team is not None:
        conditions.append(incidents.c.team == team)
    newest = select(incidents).where(*conditions).order_by(incidents.c.opened_at.desc()).limit(most)
    with journal.engine.connect() as connection:
        count = connection.execute(select(func.count()).select_from(incidents).where(*conditions)).scalar_one()
        return count, tuple(as_incident(row) for row in connection.execute(newest).mappings())


def known_before(journal: Journal, workspace: str, fingerprints: Collection[str], before: datetime) -> frozenset[str]:
    """Return those of the fingerprints that were met before a moment: one probe of an index each."""
    earlier = select(incidents.c.opened_at).filter_by(workspace=workspace, fingerprint=bindparam("name"))
    # The order makes the index the cheapest way for what is met every day, too.
    probe = earlier.where(incidents.c.opened_at < before).order_by(incidents.c.opened_at).limit(1)
    with journal.engine.connect() as connection:
        return frozenset(name for name in fingerprints if connection.execute(probe, {"name": name}).first())


def _counted(workspace: str, team: str | None) -> list[Any]:
    own = [] if team is None else [incidents.c.team == team]
    return [incidents.c.workspace == workspace, incidents.c.state.in_(COUNTED), *own]
