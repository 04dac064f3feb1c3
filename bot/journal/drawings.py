"""Which change of a view was drawn last, so that changes that overtake each other end in the order they were made."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.presses import Press
from bot.journal.tables import effects


class Drawing(NamedTuple):
    """What a view shows: the change that it was drawn for, by its time, and Slack's mark of it."""

    at: datetime
    mark: str


def drawing(journal: Journal, view: Press) -> Drawing | None:
    """Return what was drawn last in a view, or None where nothing was yet."""
    query = select(effects.c.at, effects.c.digest).filter_by(**view.row)
    with journal.engine.connect() as connection:
        row = connection.execute(query).first()
    return Drawing(row.at, row.digest or "") if row else None


def note_drawing(journal: Journal, view: Press, drawn: Drawing) -> None:
    """Write down what was drawn in a view; of two that come at once the later change counts."""
    told: Mapping[str, object] = {"state": "done", "at": drawn.at, "digest": drawn.mark[:64]}
    with journal.writing() as connection:
        adding = insert_or(connection, effects).values({**view.row, **told})
        connection.execute(
            adding.on_conflict_do_update(index_elements=list(view.row), set_=dict(told), where=effects.c.at <= drawn.at)
        )
