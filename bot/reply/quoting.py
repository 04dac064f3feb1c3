"""The user's own lines, cut to the part that tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.catalog.problem import Condition
from bot.diagnosis.patterns import compile_pattern
from bot.diagnosis.verdict import CauseVerdict, Diagnosis, Match
from bot.evidence import Fact, Line
from bot.reply.document import Quote

LENGTH = 180  # characters: two lines of a chat window
_BEFORE = 40  # of them, at most so many before what tells


def quotes(diagnosis: Diagnosis, most: int = 2) -> list[Quote]:
    """Return the line that was recognised, and one that made the cause stand."""
    said: dict[int, Quote] = {}
    match = diagnosis.matches[0] if diagnosis.matches else None
    if match and match.line:
        said[match.line.number] = _quote(match.line, _place_of(match))
    for line, place in _lines_of(diagnosis.cause, diagnosis.evidence.facts):
        said.setdefault(line.number, _quote(line, place))
    return list(said.values())[:most]


def _quote(line: Line, place: int) -> Quote:
    """Quote a line from a little before `place`, without its log prefix."""
    start = max(line.start, place - _BEFORE) if place - line.start > LENGTH - _BEFORE else line.start
    start = line.text.find(" ", start, place) + 1 or start if start > line.start else start
    text = line.text[start:].strip()
    shown = text if len(text) <= LENGTH else f"{text[:LENGTH].rsplit(' ', 1)[0]} …"
    return Quote(line=line.number, text=shown if start <= line.start else f"… {shown}")


def _place_of(match: Match) -> int:
    if not match.line or not match.wording:
        return 0
    found = compile_pattern(match.wording.pattern).search(match.line.text)
    return found.start() if found else match.line.start


def _lines_of(verdict: CauseVerdict | None, facts: Mapping[str, Fact]) -> Iterator[tuple[Line, int]]:
    """Yield the lines of a cause, each with the place of the fact that counted."""
    if verdict is None:
        return
    for line in verdict.lines:
        told = (facts[name] for name in _names(verdict.cause.when) if name in facts)
        places = [line.text.find(str(fact.value), line.start) for fact in told if fact.line == line.number]
        yield line, min((place for place in places if place >= 0), default=line.start)


def _names(condition: Condition) -> Iterable[str]:
    if condition.test:
        yield condition.test.name
    for inner in (*condition.all, *condition.any, *condition.none):
        yield from _names(inner)
