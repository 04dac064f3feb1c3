"""Incidents looked for: by words, team, state and time, a batch at a time, so that all of them can be written out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import func, or_, select

from bot.frozen import Frozen
from bot.incident import Incident
from bot.journal.incidents import as_incident
from bot.journal.open import Journal
from bot.journal.tables import incidents

_SEARCHED = ("problem", "title", "cause", "fingerprint", "error", "model", "gpu", "vllm_version")
_BATCH = 1000


class Search(Frozen):
    """What is looked for; what is None is not asked for. Every word must stand in some column."""

    workspace: str | None = None
    team: str | None = None
    state: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: tuple[str, ...] = ()


def find(journal: Journal, search: Search, most: int | None = None) -> Iterator[Incident]:
    """Yield the incidents that are looked for, newest first, in bounded memory."""
    query = select(incidents).where(*_conditions(search))
    newest_first = (incidents.c.opened_at.desc(), incidents.c.workspace, incidents.c.channel, incidents.c.root)
    query = query.order_by(*newest_first).limit(most)
    with journal.engine.connect().execution_options(yield_per=_BATCH) as connection:
        for row in connection.execute(query).mappings():
            yield as_incident(row)


def _conditions(search: Search) -> list[Any]:
    column = incidents.c
    wanted = [column[name] == value for name in ("workspace", "state", "team") if (value := getattr(search, name))]
    if search.since:
        wanted.append(column.opened_at >= search.since)
    if search.until:
        wanted.append(column.opened_at < search.until)
    return [*wanted, *(_has(word) for word in search.words)]


def _has(word: str) -> Any:
    return or_(*(func.lower(incidents.c[name]).contains(word.lower(), autoescape=True) for name in _SEARCHED))
