"""Which releases log from there: "[core.py:396]" before a statement that we know is one line of a few releases' sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from bot.catalog.statements import Span, statements_in
from bot.evidence import Line
from bot.facts import Fact
from bot.reading.figures import note

_PLACE = re.compile(r"([\w-]+\.py):(\d{1,6})\]")
_TOLD_BY_A_TRACEBACK = frozenset({"ERROR", "EXCEPTION", "CRITICAL", "FATAL"})


def find_releases(lines: Sequence[Line]) -> Iterator[Fact]:
    """Yield the oldest and the newest release whose sources log each known statement on just that line.

    A fork or a build between releases has moved them: nothing is said where a third of the statements, or more, stand
    where no release has them, or where no release has them all.
    """
    placed = {place: (spans, line) for line in lines for place, spans in _place(line)}
    known = [spans for spans, _ in placed.values() if spans]
    if not known or 3 * len(known) <= 2 * len(placed):
        return
    common = list(reduce(_in_both, known))
    if common:
        last = [line for spans, line in placed.values() if spans][-1]
        yield note("version_since", common[0].since, last)
        yield note("version_until", common[-1].until, last)


def _place(line: Line) -> Iterator[tuple[tuple[str, str], tuple[Span, ...]]]:
    """Yield the place that a line's prefix tells, and the releases that log what it says from there."""
    found = _PLACE.search(line.text, 0, line.start)
    if not found:
        return
    statements = statements_in(found[1])
    said = [statement for statement in statements if line.message.startswith(statement.says)]
    if not said and line.level in _TOLD_BY_A_TRACEBACK:
        said = [statement for statement in statements if statement.holds_traceback]
    if said:
        spans = (span for statement in said for span in statement.releases_at(int(found[2])))
        yield (found[1], found[2]), tuple(sorted(spans))


def _in_both(some: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    pairs = [Span(max(one.since, other.since), min(one.until, other.until)) for one in some for other in others]
    return sorted(pair for pair in pairs if pair.since <= pair.until)
