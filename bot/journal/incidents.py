"""One row a case, for the digest and for "have we seen this before?"."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, delete, func, select, text, update

from bot.case import State, Thread
from bot.incident import Counted, Incident
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import channels, incidents

COUNTED: tuple[State, ...] = (
    "open",
    "resolved",
)  # what was withdrawn, or none of ours, stays on file and out of the count
MOST_SEEN = 50  # earlier cases of a problem that anybody wants counted
IS_OPEN = text("incidents.state = 'open'")
_PLACE = ("workspace", "channel", "root")
# What only `export` and `replay` read: a digest reads thousands of rows and none of these.
_WIDE = ("pasted", "fixed", "before", "after")


def file(journal: Journal, incident: Incident) -> None:
    """Write the row of a case, or write it anew; without a team of its own it has its channel's."""
    row = {**incident.model_dump(exclude={"thread"}), **incident.thread.model_dump()}
    with journal.writing() as connection:
        if row["team"] is None:
            room = select(channels.c.team).filter_by(workspace=row["workspace"], id=row["channel"])
            row["team"] = connection.execute(room).scalar_one_or_none() or row["workspace"]
        adding = insert_or(connection, incidents).values(row)
        connection.execute(adding.on_conflict_do_update(index_elements=list(_PLACE), set_=row))


def close(journal: Journal, thread: Thread, state: State) -> None:
    """Take a case out of the count and drop what was pasted in it: it was withdrawn, or it was none of ours."""
    closing = update(incidents).filter_by(**thread.model_dump())
    with journal.writing() as connection:
        connection.execute(closing.values(state=state, pasted=None, fixed=None, error=None))


def unfile(journal: Journal, thread: Thread) -> None:
    """Drop the row of a case that is none any more."""
    with journal.writing() as connection:
        connection.execute(delete(incidents).filter_by(**thread.model_dump()))


def incident_of(journal: Journal, thread: Thread) -> Incident | None:
    """Return the row of a thread, whatever its state."""
    query = select(incidents).filter_by(**thread.model_dump())
    with journal.engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return as_incident(row) if row else None


def week(
    journal: Journal, workspace: str, begin: datetime, end: datetime, team: str | None = None
) -> tuple[Incident, ...]:
    """Return the incidents opened from `begin` up to but not at `end`, oldest first; of one team, or of all."""
    query = select(*_narrow())
    query = query.where(*_opened_in(workspace, begin, end, team))
    return _read(journal, query.order_by(incidents.c.opened_at))


def week_counted(
    journal: Journal, workspace: str, begin: datetime, end: datetime, team: str | None = None
) -> tuple[Counted, ...]:
    """Return the same incidents as far as they are counted, in any order."""
    query = select(*(incidents.c[name] for name in Counted._fields))
    with journal.engine.connect() as connection:
        return tuple(Counted(*row) for row in connection.execute(query.where(*_opened_in(workspace, begin, end, team))))


def _opened_in(workspace: str, begin: datetime, end: datetime, team: str | None) -> list[Any]:
    column = incidents.c
    own = [] if team is None else [column.team == team]
    within = [column.opened_at >= begin, column.opened_at < end]
    return [column.workspace == workspace, *own, *within, column.state.in_(COUNTED)]


def seen_before(journal: Journal, here: Incident, since: datetime) -> tuple[Incident, ...]:
    """Return earlier incidents of the same fingerprint that a reader of this channel may know of, newest first.

    A private channel's incidents are told only in that channel.
    """
    if here.fingerprint is None:
        return ()
    query = (
        select(*_narrow())
        .join(channels, (channels.c.workspace == incidents.c.workspace) & (channels.c.id == incidents.c.channel))
        .where(incidents.c.workspace == here.thread.workspace, incidents.c.fingerprint == here.fingerprint)
        .where(incidents.c.opened_at >= since, incidents.c.opened_at < here.opened_at)
        .where((channels.c.is_private.is_(False)) | (incidents.c.channel == here.thread.channel))
        .where(incidents.c.root != here.thread.root, incidents.c.state.in_(COUNTED))
    )
    return _read(journal, query.order_by(incidents.c.opened_at.desc()).limit(MOST_SEEN))


def _narrow() -> Iterable[Any]:
    return (column for column in incidents.c if column.name not in _WIDE)


def opened_by(journal: Journal, workspace: str, person: str) -> tuple[Incident, ...]:
    """Return a person's open incidents, newest first."""
    # The state stands in the text, not in a parameter: only so does the index of open cases serve.
    query = select(incidents).filter_by(workspace=workspace, opener=person).where(IS_OPEN)
    return _read(journal, query.order_by(incidents.c.opened_at.desc()).limit(50))


def workspaces_with_incidents(journal: Journal) -> tuple[str, ...]:
    """Return the workspaces that any incident was filed in."""
    found: list[str] = []
    with journal.engine.connect() as connection:
        # From one to the next along the index: there are few, however many incidents there are.
        following = select(func.min(incidents.c.workspace))
        while name := connection.execute(following).scalar_one():
            found.append(name)
            following = select(func.min(incidents.c.workspace)).where(incidents.c.workspace > name)
    return tuple(found)


def _read(journal: Journal, query: Any) -> tuple[Incident, ...]:
    with journal.engine.connect() as connection:
        return tuple(as_incident(row) for row in connection.execute(query).mappings())


def as_incident(row: RowMapping) -> Incident:
    """Return the incident of a row."""
    values: dict[Any, Any] = dict(row)
    # Validation is compiled, and three times as fast as going around it.
    return Incident.model_validate({"thread": {name: values.pop(name) for name in _PLACE}, **values})
