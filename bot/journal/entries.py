"""Taking entries into the journal, once each, and reading them back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from bot.case import WHOLE_CHANNEL, Attachment, Entry, EntryKind, Thread
from bot.journal.open import Journal
from bot.journal.sealing import open_text
from bot.journal.tables import cases
from bot.journal.tables import entries as entries_table
from bot.journal.tables import entry_keys as keys_table
from bot.reading.noise.scrub import scrub

_KINDS = frozenset(kind.value for kind in EntryKind)


def remember(
    journal: Journal, thread: Thread, entry: Entry, keys: Iterable[str], *, owes_an_answer: bool = True
) -> bool:
    """Add an entry and return True, or return False when any of its keys was taken before.

    Secrets are taken off the text here, so that nothing can reach the disk around it.
    """
    row = {
        **thread.model_dump(),
        **entry.model_dump(include={"at", "author", "message", "fact"}),
        "value": storable(scrub(entry.value)) if entry.value else entry.value,
        "kind": entry.kind.value,
        "text": _at_rest(journal, storable(scrub(entry.text))),
        "files": [_without_secret(file).model_dump() for file in entry.files] or None,
    }
    try:
        with journal.writing() as connection:
            added = connection.execute(insert(entries_table).values(row)).inserted_primary_key
            number = added[0] if added else None
            rows = [{"workspace": thread.workspace, "key": key, "entry": number} for key in sorted(set(keys))]
            connection.execute(insert(keys_table), rows)
            if owes_an_answer:
                _count(connection, thread)
    except IntegrityError:
        return False
    return True


def _at_rest(journal: Journal, text: str) -> str:
    return journal.seal.seal(text) if journal.seals_pastes and journal.seal and text else text


def _without_secret(file: Attachment) -> Attachment:
    """Return a file whose name holds no secret; its address, which ends in that name, can be asked for again."""
    name = scrub(file.name)
    return file if name == file.name else file.model_copy(update={"name": storable(name), "url": None})


def storable(text: str) -> str:
    """Return a text that every database takes: PostgreSQL knows no NUL, UTF-8 no half of a surrogate pair."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def _count(connection: Connection, thread: Thread) -> None:
    adding = insert_or(connection, cases).values(**thread.model_dump(), taken=1, answered=0)
    connection.execute(
        adding.on_conflict_do_update(index_elements=["workspace", "channel", "root"], set_={"taken": cases.c.taken + 1})
    )


def insert_or(connection: Connection, table: Table) -> Any:
    """Return an INSERT that knows ON CONFLICT, in the database's own dialect."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def entries(journal: Journal, thread: Thread) -> tuple[Entry, ...]:
    """Return all that was taken in a thread, in the order it was taken.

    While versions change a newer process may write kinds that this one does not know; they are passed over.
    """
    query = select(entries_table).filter_by(**thread.model_dump()).order_by(entries_table.c.id)
    with journal.engine.connect() as connection:
        return tuple(_entry(journal, row) for row in connection.execute(query).mappings() if row["kind"] in _KINDS)


def _entry(journal: Journal, row: Any) -> Entry:
    return Entry(
        **{name: row[name] for name in ("at", "author", "message", "fact", "value")},
        text=open_text(journal.seal, row["text"]),
        kind=EntryKind(row["kind"]),
        files=tuple(Attachment(**file) for file in row["files"] or ()),
        order=row["id"],
    )


def thread_with(journal: Journal, workspace: str, channel: str, message: str) -> Thread | None:
    """Return the thread that a message of ours or of a person stands in, or None when nobody took it."""
    query = select(entries_table.c.root).filter_by(workspace=workspace, channel=channel, message=message)
    with journal.engine.connect() as connection:
        root = connection.execute(query.limit(1)).scalar_one_or_none()
    return Thread(workspace=workspace, channel=channel, root=root) if root else None


def span_of_messages(journal: Journal, workspace: str, channel: str) -> tuple[str, str] | None:
    """Return the timestamps of the first and the last message taken in a channel, or None before there was any."""
    message = entries_table.c.message
    # What is no timestamp ("reminder") sorts after every one that is.
    query = select(func.min(message), func.max(message)).where(message < "A")
    with journal.engine.connect() as connection:
        first, last = connection.execute(query.filter_by(workspace=workspace, channel=channel)).one()
    return (first, last) if first and last else None


def threads_after(journal: Journal, workspace: str, channel: str, root: str) -> tuple[str, ...]:
    """Return the roots of a channel's threads that began after a timestamp, newest first."""
    query = select(cases.c.root).filter_by(workspace=workspace, channel=channel)
    query = query.where(cases.c.root > root, cases.c.root != WHOLE_CHANNEL).order_by(cases.c.root.desc())
    with journal.engine.connect() as connection:
        return tuple(connection.execute(query.limit(100)).scalars())


def all_threads(journal: Journal, workspace: str | None = None, since: datetime | None = None) -> tuple[Thread, ...]:
    """Return the threads that anything was said in and that began at a moment or later, newest first."""
    query = select(cases.c.workspace, cases.c.channel, cases.c.root).where(cases.c.root != WHOLE_CHANNEL)
    if workspace is not None:
        query = query.filter_by(workspace=workspace)
    if since is not None:
        query = query.where(cases.c.root >= f"{since.timestamp():.6f}")
    with journal.engine.connect() as connection:
        return tuple(Thread(**row) for row in connection.execute(query.order_by(cases.c.root.desc())).mappings())


def pastes_between(journal: Journal, thread: Thread, author: str, begin: str) -> tuple[str, ...]:
    """Return the last few threads that `author` began in the same channel from `begin` up to this one, oldest first."""
    table = entries_table.c
    query = select(table.root).filter_by(workspace=thread.workspace, channel=thread.channel, author=author)
    query = query.where(table.kind == EntryKind.PASTE.value, table.message >= begin, table.message < thread.root)
    with journal.engine.connect() as connection:
        found = connection.execute(query.order_by(table.message.desc()).limit(10)).scalars()
        return tuple(reversed(found.all()))


def pastes_after(journal: Journal, thread: Thread, author: str, end: str) -> tuple[str, ...]:
    """Return the next few threads that `author` began in the same channel after this one, up to `end`, oldest first."""
    table = entries_table.c
    query = select(table.root).filter_by(workspace=thread.workspace, channel=thread.channel, author=author)
    query = query.where(table.kind == EntryKind.PASTE.value, table.message > thread.root, table.message <= end)
    with journal.engine.connect() as connection:
        return tuple(connection.execute(query.order_by(table.message).limit(10)).scalars())


def is_known(journal: Journal, thread: Thread) -> bool:
    """Return whether anything was ever taken in that thread."""
    query = select(cases.c.root).filter_by(**thread.model_dump())
    with journal.engine.connect() as connection:
        return connection.execute(query).first() is not None
