"""The names of all models in knowledge/models, and where their rows lie."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple

from bot.catalog.names import ORGANISATIONS
from bot.catalog.places import KNOWLEDGE

_HEAD = re.compile(r'^\{"id": "([^"]+)"(?:, "also": \[([^\]]*)\])?(?:, "downloads": (\d+))?', re.MULTILINE)


class Head(NamedTuple):
    """The beginning of a row, and where the rest of it lies."""

    id: str
    also: tuple[str, ...]
    downloads: int
    text: str
    start: int

    @property
    def base(self) -> str:
        """The name without its organisation, in lower case."""
        return self.id.rpartition("/")[2].lower()

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
def index() -> Index:
    """Read the names of all rows; the rows themselves stay text until one is asked for."""
    heads: list[Head] = []
    for path in sorted((KNOWLEDGE / "models").glob("*.jsonl")):
        text = path.read_text(encoding="utf-8")
        for found in _HEAD.finditer(text):
            also = tuple(re.findall(r'"([^"]+)"', found[2] or ""))
            heads.append(Head(found[1], also, int(found[3] or 0), text, found.start()))
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
    return Index(tuple(heads), by_name, {base: tuple(found) for base, found in by_base.items()}, organisations)
