"""The names of all models in knowledge/models, and where their rows lie."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple

from bot.catalog.names import ORGANISATIONS, tokens_of
from bot.catalog.places import KNOWLEDGE

_HEAD = re.compile(r'^\{"id": "([^"]+)"(?:, "also": \[([^\]]*)\])?(?:, "downloads": (\d+))?', re.MULTILINE)


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
    pieces: frozenset[str]  # of base names, between hyphens


@cache
def by_words() -> dict[tuple[str, ...], tuple[Head, ...]]:
    """Return the rows by the words of their base name, whatever stands between them."""
    found: dict[tuple[str, ...], list[Head]] = {}
    for head in index().heads:
        found.setdefault(tokens_of(head.base), []).append(head)
    return {words: tuple(heads) for words, heads in found.items()}


@cache
def index() -> Index:
    """Read the names of all rows; the rows themselves stay text until one is asked for."""
    heads: list[Head] = []
    for path in sorted((KNOWLEDGE / "models").glob("*.jsonl")):
        text = path.read_text(encoding="utf-8")
        for found in _HEAD.finditer(text):
            also = tuple(re.findall(r'"([^"]+)"', found[2] or ""))
            base = found[1].rpartition("/")[2].lower()
            heads.append(Head(found[1], base, also, int(found[3] or 0), text, found.start()))
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
    pieces = frozenset(piece for base in by_base for piece in base.split("-"))
    bases = {base: tuple(found) for base, found in by_base.items()}
    return Index(tuple(heads), by_name, bases, organisations, pieces)
