"""The scanner of a knowledge base, made once a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.diagnosis.wordings.search import Scanner

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge

_MOST_KEPT = 4
_kept: dict[int, tuple[Knowledge, Scanner]] = {}


def scanner_of(knowledge: Knowledge) -> Scanner:
    """Return the scanner of this very knowledge; a few of them are kept."""
    held = _kept.get(id(knowledge))
    if held is not None and held[0] is knowledge:
        return held[1]
    scanner = Scanner(knowledge.problems.values())
    while len(_kept) >= _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    _kept[id(knowledge)] = (knowledge, scanner)
    return scanner
