"""One row a case, for the digest and for "have we seen this before?"."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import delete, select

from bot.case import Thread
from bot.incident import Incident
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import channels, incidents


def file(journal: Journal, incident: Incident) -> None:
    """Write the row of a case, or write it anew."""
    row = {**incident.model_dump(exclude={"thread"}), **incident.thread.model_dump()}
    with journal.writing() as connection:
        adding = insert_or(connection, incidents).values(row)
        connection.execute(adding.on_conflict_do_update(index_elements=["workspace", "channel", "root"], set_=row))


def unfile(journal: Journal, thread: Thread) -> None:
    """Take a case out of the count: its paste was deleted, or it was none of ours."""
    with journal.writing() as connection:
        connection.execute(delete(incidents).filter_by(**thread.model_dump()))


def week(journal: Journal, workspace: str, begin: datetime, end: datetime) -> tuple[Incident, ...]:
    """Return the incidents opened from `begin` up to but not at `end`, oldest first."""
    query = select(incidents).filter_by(workspace=workspace)
    query = query.where(incidents.c.opened_at >= begin, incidents.c.opened_at < end)
    return _read(journal, query.order_by(incidents.c.opened_at))


def seen_before(journal: Journal, here: Incident, since: datetime) -> tuple[Incident, ...]:
    """Return earlier incidents of the same fingerprint that a reader of this channel may know of, newest first.

    A private channel's incidents are told only in that channel.
    """
    if here.fingerprint is None:
        return ()
    query = (
        select(incidents)
        .join(channels, (channels.c.workspace == incidents.c.workspace) & (channels.c.id == incidents.c.channel))
        .where(incidents.c.workspace == here.thread.workspace, incidents.c.fingerprint == here.fingerprint)
        .where(incidents.c.opened_at >= since, incidents.c.opened_at < here.opened_at)
        .where((channels.c.is_private.is_(False)) | (incidents.c.channel == here.thread.channel))
        .where(incidents.c.root != here.thread.root)
    )
    return _read(journal, query.order_by(incidents.c.opened_at.desc()).limit(50))


def opened_by(journal: Journal, workspace: str, person: str) -> tuple[Incident, ...]:
    """Return a person's open incidents, newest first."""
    query = select(incidents).filter_by(workspace=workspace, opener=person, state="open")
    return _read(journal, query.order_by(incidents.c.opened_at.desc()).limit(50))


def workspaces_with_incidents(journal: Journal) -> tuple[str, ...]:
    """Return the workspaces that any incident was filed in."""
    query = select(incidents.c.workspace).distinct().order_by(incidents.c.workspace)
    with journal.engine.connect() as connection:
        return tuple(connection.execute(query).scalars())


def _read(journal: Journal, query: Any) -> tuple[Incident, ...]:
    with journal.engine.connect() as connection:
        return tuple(_incident(dict(row)) for row in connection.execute(query).mappings())


def _incident(row: dict[str, Any]) -> Incident:
    thread = Thread(**{name: row.pop(name) for name in ("workspace", "channel", "root")})
    return Incident(thread=thread, **row)
