"""Forgetting: a person, a channel, a workspace, and what is older than its team keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, and_, delete, exists, func, select, tuple_, update

from bot.case import EntryKind
from bot.frozen import Frozen
from bot.journal.open import Journal
from bot.journal.tables import cases, channels, digest_rules, digest_slots, effects, entries, incidents, installations
from bot.journal.tables import teams as teams_table
from bot.journal.teams import all_teams
from bot.journal.threads import same_thread

_WORDS = [kind.value for kind in (EntryKind.PASTE, EntryKind.REPLY, EntryKind.EDITED)]
_FILES = [kind.value for kind in (EntryKind.FILE, EntryKind.UNREADABLE)]
_HAS_CHANNEL = (entries, cases, effects, incidents, digest_rules, digest_slots)
_BATCH = 500


class Forgotten(Frozen):
    """How much was forgotten, for whoever asked."""

    entries: int = 0
    incidents: int = 0
    threads: int = 0


def forget_person(journal: Journal, workspace: str, person: str) -> Forgotten:
    """Forget what a person said and did: their words, their clicks, their name, and the incidents they opened.

    Their messages stay as empty entries, so that nothing delivered again, or read up again, brings the words back.
    """
    with journal.writing() as connection:
        theirs = and_(entries.c.workspace == workspace, entries.c.author == person)
        opened = select(incidents.c.root).filter_by(workspace=workspace, opener=person)
        dropped = _count(connection, delete(incidents).filter_by(workspace=workspace, opener=person), opened)
        emptied = _empty_words(connection, workspace, theirs)
        clicks = theirs & entries.c.kind.not_in(_WORDS)
        clicked = _count(connection, delete(entries).where(clicks), select(entries.c.id).where(clicks))
        _forget_name(connection, workspace, person)
    return Forgotten(entries=emptied + clicked, incidents=dropped)


def _empty_words(connection: Connection, workspace: str, theirs: Any) -> int:
    """Empty a person's messages, and the files they carried, which are entries of ours."""
    messages = select(entries.c.channel, entries.c.message).where(theirs, entries.c.kind.in_(_WORDS))
    place = tuple_(entries.c.channel, entries.c.message)
    carried = and_(entries.c.workspace == workspace, entries.c.kind.in_(_FILES), place.in_(messages))
    connection.execute(update(entries).where(carried).values(text="", value=None))
    said = theirs & entries.c.kind.in_(_WORDS)
    emptying = update(entries).where(said).values(text="", value=None, files=None, author=None)
    return _count(connection, emptying, select(entries.c.id).where(said))


def _forget_name(connection: Connection, workspace: str, person: str) -> None:
    connection.execute(update(incidents).filter_by(workspace=workspace, resolver=person).values(resolver=None))
    connection.execute(update(channels).filter_by(workspace=workspace, enabled_by=person).values(enabled_by=None))
    rows = connection.execute(select(teams_table).filter_by(workspace=workspace)).mappings().all()
    for row in rows:
        left = {part: [name for name in row[part] if name != person] for part in ("members", "leads")}
        connection.execute(update(teams_table).filter_by(workspace=workspace, name=row["name"]).values(left))


def forget_channel(journal: Journal, workspace: str, channel: str) -> Forgotten:
    """Forget all that was said in a channel, its settings and its digests."""
    with journal.writing() as connection:
        forgotten = _drop(connection, _HAS_CHANNEL, workspace=workspace, channel=channel)
        connection.execute(delete(channels).filter_by(workspace=workspace, id=channel))
    return forgotten


def forget_workspace(journal: Journal, workspace: str) -> Forgotten:
    """Forget a workspace: all that was said in it, its teams and settings, and that we were installed there."""
    with journal.writing() as connection:
        return _drop(connection, (*_HAS_CHANNEL, channels, teams_table, installations), workspace=workspace)


def _drop(connection: Connection, tables: Iterable[Table], **where: str) -> Forgotten:
    counts = {
        table.name: connection.execute(select(func.count()).select_from(table).filter_by(**where)).scalar_one()
        for table in (entries, incidents, cases)
    }
    for table in tables:
        connection.execute(delete(table).filter_by(**where))
    return Forgotten(entries=counts["entries"], incidents=counts["incidents"], threads=counts["cases"])


def forget_expired(journal: Journal, now: datetime) -> Forgotten:
    """Forget the threads in which nothing was said for longer than their team keeps it.

    The incident's row stays, without names and without what was pasted, so that old weeks still count right.
    """
    total = Forgotten()
    known = all_teams(journal)
    own = {team.workspace: team.retention_days for team in known if team.name == team.workspace}
    for workspace in {team.workspace for team in known}:
        days = {team.name: team.retention_days or own.get(workspace) for team in known if team.workspace == workspace}
        for name, kept in days.items():
            if kept:
                total = _add(total, _expire(journal, workspace, _owned_by(workspace, name, days), now, kept))
    return total


def _owned_by(workspace: str, name: str, known: Iterable[str]) -> Any:
    """Return the condition that a thread belongs to a team; the workspace's own has what no known team owns."""
    team = func.coalesce(incidents.c.team, channels.c.team, workspace)
    others = [other for other in known if other != workspace]
    return team.not_in(others) if name == workspace else team == name


def _expire(journal: Journal, workspace: str, owned: Any, now: datetime, days: int) -> Forgotten:
    cutoff = now - timedelta(days=days)
    total = Forgotten()
    while threads := _old_threads(journal, workspace, owned, cutoff):
        total = _add(total, _drop_threads(journal, workspace, threads))
    return total


def _old_threads(journal: Journal, workspace: str, owned: Any, cutoff: datetime) -> list[tuple[str, str]]:
    later = entries.alias("later")
    is_later = same_thread(later, entries) & (later.c.at >= cutoff)
    query = (
        select(entries.c.channel, entries.c.root)
        .distinct()
        .join(incidents, same_thread(incidents, entries), isouter=True)
        .join(
            channels, (channels.c.workspace == entries.c.workspace) & (channels.c.id == entries.c.channel), isouter=True
        )
        .where(entries.c.workspace == workspace, entries.c.at < cutoff, owned, ~exists().where(is_later))
        .limit(_BATCH)
    )
    with journal.engine.connect() as connection:
        return [(channel, root) for channel, root in connection.execute(query)]


def _drop_threads(journal: Journal, workspace: str, threads: list[tuple[str, str]]) -> Forgotten:
    def here(table: Any) -> Any:
        return and_(table.c.workspace == workspace, tuple_(table.c.channel, table.c.root).in_(threads))

    nameless = {"opener": None, "resolver": None, "pasted": None, "fixed": None, "error": None}
    with journal.writing() as connection:
        old = select(entries.c.id).where(here(entries))
        dropped = connection.execute(select(func.count()).select_from(old.subquery())).scalar_one()
        for table in (entries, cases, effects):
            connection.execute(delete(table).where(here(table)))
        connection.execute(update(incidents).where(here(incidents)).values(nameless))
        # Nobody can say any more that it is solved.
        connection.execute(
            update(incidents).where(here(incidents), incidents.c.state == "open").values(state="resolved")
        )
    return Forgotten(entries=dropped, threads=len(threads))


def _add(one: Forgotten, other: Forgotten) -> Forgotten:
    return Forgotten(**{name: getattr(one, name) + getattr(other, name) for name in Forgotten.model_fields})


def _count(connection: Connection, change: Any, touched: Any) -> int:
    """Make a change, and return how many rows it was about."""
    count = connection.execute(select(func.count()).select_from(touched.subquery())).scalar_one()
    connection.execute(change)
    return count
