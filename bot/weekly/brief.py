"""A digest for one window of a terminal: its figures whole, of each list the first, and no addresses."""

from __future__ import annotations

from bot.reply.charts.text import spark
from bot.reply.document import Bullets, Chart, Details, Document, Part, Prose, Span, Table

MOST_ROWS = 5
MOST_ITEMS = 3


def brief(document: Document) -> Document:
    """Return a digest in some twenty lines; what is left out of it stands in the whole one."""
    parts = [short for part in document.parts if (short := _short(part)) is not None]
    return document._replace(parts=(*parts, Details(title="The whole week", parts=())))


def _short(part: Part) -> Part | None:
    if isinstance(part, Table):
        return _first_rows(part)
    if isinstance(part, Bullets):
        return _first_items(part)
    if isinstance(part, Chart):  # bars say by cause what the table says by problem
        return Prose(spans=(Span(text=spark(part)),)) if part.kind == "lines" else None
    return None if isinstance(part, Details) else part


def _first_rows(table: Table) -> Table:
    if len(table.rows) <= MOST_ROWS:
        return table
    caption = f"{table.caption}, {MOST_ROWS} of {len(table.rows)} rows"
    return table._replace(rows=table.rows[:MOST_ROWS], caption=caption)


def _first_items(bullets: Bullets) -> Bullets:
    items = [_without_address(item) for item in bullets.items[:MOST_ITEMS]]
    if len(bullets.items) > MOST_ITEMS:
        items.append(Prose(spans=(Span(text="and so on"),)))
    return Bullets(items=tuple(items))


def _without_address(prose: Prose) -> Prose:
    return Prose(spans=tuple(span._replace(url=None) for span in prose.spans))
