"""The user's own lines, cut to the part that tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from bot.catalog.problem import Condition
from bot.diagnosis.verdict import CauseVerdict, Diagnosis, Match
from bot.diagnosis.wordings.patterns import PASTE_SEPARATOR, compile_pattern
from bot.evidence import Evidence, Line
from bot.facts import Fact
from bot.reply.document import Quote

LENGTH = 180  # characters: two lines of a chat window
_BEFORE = 40  # of them, at most so many before what tells
MOST = 2
_REACH = 40  # lines behind a frame or a first part in which the error itself stands

_LAUNCH = re.compile(r"\bvllm serve\b|\bvllm\.entrypoints\b|\s--[a-z]|\bLLM\(")
_FRAME = re.compile(r'\s*File "')
_BORDERS = re.compile(r"[|│┃]")
_GAPS = re.compile(r"\s{3,}")


def quotes(diagnosis: Diagnosis) -> list[Quote]:
    """Return the line that was recognised, and one that made the cause stand."""
    said: dict[int, Quote] = {}
    match = diagnosis.matches[0] if diagnosis.matches else None
    if match and match.line:
        line = _telling(match, match.line, diagnosis.evidence)
        said[line.number] = _quote(line, _place_of(match, line))
    for quote in _of_cause(diagnosis.cause, diagnosis.evidence.facts):
        said.setdefault(quote.line or 0, quote)
    return list(said.values())[:MOST]


def _telling(match: Match, line: Line, evidence: Evidence) -> Line:
    """Return the line to quote: the error below a frame, and the last part of what stands on several lines."""
    behind = [other for other in evidence.lines if line.number < other.number <= line.number + _REACH]
    if _FRAME.match(line.message):
        failures = {failure.line for failure in evidence.failures}
        before = [other for other in reversed(evidence.lines) if line.number - _REACH <= other.number < line.number]
        return next((other for other in (*behind, *before) if other.number in failures), line)
    if match.wording and match.wording.scope == "paste":
        last = compile_pattern(match.wording.pattern.rsplit(PASTE_SEPARATOR, maxsplit=1)[-1])
        if not last.search(line.text):
            return next((other for other in behind if last.search(other.text)), line)
    return line


def _quote(line: Line, place: int) -> Quote:
    """Quote a line from a little before `place`, without its log prefix."""
    start = max(line.start, place - _BEFORE) if place - line.start > LENGTH - _BEFORE else line.start
    start = line.text.find(" ", start, place) + 1 or start if start > line.start else start
    text = _bare(line.text[start:])
    shown = text if len(text) <= LENGTH else f"{text[:LENGTH].rsplit(' ', 1)[0]} …"
    return Quote(line=line.number, text=shown if start <= line.start else f"… {shown}")


def _bare(text: str) -> str:
    """Return a line without the borders and the wide gaps of a table."""
    return _GAPS.sub("  ", _BORDERS.sub(" ", text) if text.lstrip()[:1] in "|│┃" else text).strip()


def _place_of(match: Match, line: Line) -> int:
    if not match.wording:
        return line.start
    found = compile_pattern(match.wording.pattern).search(line.text)
    return found.start() if found else line.start


def _of_cause(verdict: CauseVerdict | None, facts: Mapping[str, Fact]) -> Iterator[Quote]:
    """Yield what of a cause's lines made it stand; a command is quoted by the flag that did, or not at all."""
    if verdict is None:
        return
    for line in verdict.lines:
        told = (facts[name] for name in _names(verdict.cause.when) if name in facts)
        places = [line.text.find(str(fact.value), line.start) for fact in told if fact.line == line.number]
        place = min((place for place in places if place >= 0), default=line.start)
        if not _LAUNCH.search(line.text):
            yield _quote(line, place)
        elif flag := _flag(line.text, place):
            yield Quote(line=line.number, text=flag)


def _flag(text: str, place: int) -> str:
    """Return the flag whose value stands at `place`; nothing when none does."""
    start = text.rfind(" --", 0, place) + 1
    words = text[start:].split() if start else []
    if not words or text[start:place].count(" ") > 1:
        return ""
    return " ".join(words[:1] if "=" in words[0] else words[:2])


def _names(condition: Condition) -> Iterable[str]:
    if condition.test:
        yield condition.test.name
    for inner in (*condition.all, *condition.any, *condition.none):
        yield from _names(inner)
