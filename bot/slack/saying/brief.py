"""The short form of a reply, for a problem that its readers have met lately."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.reply.document import Ask, Command, Details, Document, Part, Prose, Quote, Title

# What is said of a problem again: what it is, the line, why, the first fix, and what is still open.
_ONCE: tuple[type[Part], ...] = (Title, Quote, Prose, Command)


class Memory(NamedTuple):
    """What is told of earlier cases, and whether one was of the same model on the same card: its budget was read."""

    blocks: tuple[dict[str, Any], ...] = ()
    is_the_same: bool = False


def brief(document: Document) -> Document:
    """Return a reply without what was said of such a case before; that is in its first details, whole."""
    kept: list[Part] = []
    left: list[Part] = []
    seen: set[type[Part]] = set()
    for part in document.parts:
        is_new = type(part) not in seen
        seen.add(type(part))
        is_kept = isinstance(part, (Ask, Details)) or (is_new and isinstance(part, _ONCE))
        (kept if is_kept else left).append(part)
    rest = [Details(title="The budget and other ways", parts=tuple(left))] if left else []
    at = next((n for n, part in enumerate(kept) if isinstance(part, Details)), len(kept))
    return document._replace(parts=(*kept[:at], *rest, *kept[at:]))
