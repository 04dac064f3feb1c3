"""The names of all models in knowledge/models, and where their rows lie."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from bot.catalog.names import MAKERS, ORGANISATIONS, tokens_of
from bot.catalog.places import KNOWLEDGE

# To the end of the line, so that nobody looks for another row inside it.
_HEAD = re.compile(r'\{"id": "([^"]+)"(?:, "also": \[([^\]]*)\])?(?:, "downloads": (\d+))?.*')
_QUOTED = re.compile(r'"([^"]+)"')
_NOT_SAID = bytes(set(range(128)) - set(b"abcdefghijklmnoqrstuvwxyz123456789"))
_MAKERS = tuple(maker.encode() for maker in MAKERS)


class Head(NamedTuple):
    """The beginning of a row, and where the rest of it lies."""

    id: str
    base: str  # the name without its organisation, in lower case
    also: tuple[str, ...]
    downloads: int
    text: str
    start: int

    def row(self) -> dict[str, Any]:
        """The row, parsed."""
        end = self.text.find("\n", self.start)
        return json.loads(self.text[self.start : end if end > 0 else None])


class Index(NamedTuple):
    """Every name in knowledge/models, most downloaded first."""

    heads: tuple[Head, ...]
    by_name: dict[str, Head]
    by_base: dict[str, tuple[Head, ...]]
    organisations: frozenset[str]


@cache
def pieces() -> frozenset[str]:
    """Return the pieces of base names, between hyphens."""
    return frozenset(piece for base in index().by_base for piece in base.split("-"))


def named_by(words: tuple[str, ...]) -> tuple[Head, ...]:
    """Return the rows whose base name has just these words, whatever stands between them, most downloaded first."""
    return tuple(head for head in _by_letters().get(_letters("".join(words)), ()) if tokens_of(head.base) == words)


def likely(words: Iterable[str]) -> list[Head]:
    """Return the rows that hold the rarest-looking of these words somewhere: cheap, and none with all of them is missed."""
    keys = sorted((word for word in words if len(word) > 1 and "." not in word), key=len, reverse=True)[:3]
    if not keys:
        return []
    return [head for head in index().heads if all(key in head.base for key in keys)]


@cache
def _by_letters() -> dict[bytes, list[Head]]:
    found: dict[bytes, list[Head]] = {}
    for head in index().heads:
        found.setdefault(_letters(head.base), []).append(head)
    return found


def _letters(name: str) -> bytes:
    """Return what is equal where words are equal, and quickly said: their words are told of a few rows only.

    "2p5" and "2_5" may stand for 2.5, and "4.0" for 4.
    """
    letters = name.encode("ascii", "ignore").translate(None, _NOT_SAID)
    while maker := next(filter(letters.startswith, _MAKERS), None):
        letters = letters.removeprefix(maker)
    return letters


@cache
def index() -> Index:
    """Read the names of all rows; the rows themselves stay text until one is asked for."""
    heads: list[Head] = []
    for path in sorted((KNOWLEDGE / "models").glob("*.jsonl")):
        text = path.read_text(encoding="utf-8")
        for found in _HEAD.finditer(text):
            name, also, downloads = found.groups()
            other_names = tuple(_QUOTED.findall(also)) if also else ()
            heads.append(
                Head(name, name.rpartition("/")[2].lower(), other_names, int(downloads or 0), text, found.start())
            )
    heads.sort(key=lambda head: -head.downloads)
    by_name: dict[str, Head] = {}
    by_base: dict[str, list[Head]] = {}
    for head in heads:
        by_base.setdefault(head.base, []).append(head)
    for head in heads:
        for other in head.also:
            by_name.setdefault(other.lower(), head)
    for head in heads:
        by_name[head.id.lower()] = head
    organisations = frozenset(name.partition("/")[0] for name in by_name) | ORGANISATIONS.keys()
    bases = {base: tuple(found) for base, found in by_base.items()}
    return Index(tuple(heads), by_name, bases, organisations)
