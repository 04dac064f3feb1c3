"""Which warnings a start has outlived: they stopped nothing, so that they are news only to who asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from re import IGNORECASE

from bot.diagnosis.wordings.search import Hit
from bot.evidence import Line
from bot.reading.late import Late

_STARTED = Late(r"\bApplication startup complete\b|\bUvicorn running on\b", IGNORECASE)
_WARNINGS = frozenset({"DEBUG", "INFO", "WARNING"})


def without_outlived(hits: Sequence[Hit], lines: Sequence[Line]) -> list[Hit]:
    """Return hits without those on warnings and notes in a log above the line that says the server has started."""
    started = max((line.number for line in lines if _STARTED.regex.search(line.text)), default=0)
    return [hit for hit in hits if hit.line.number >= started or hit.line.level not in _WARNINGS]
