"""Which wordings of the knowledge stand in a paste, on which line, with which values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings import scan_hyperscan, scan_python
from bot.diagnosis.wordings.finding import MOST_TRIED, Found, find_pattern, is_meant
from bot.diagnosis.wordings.page import Page
from bot.diagnosis.wordings.patterns import (
    OUT_OF_MEMORY,
    PASTE_SEPARATOR,
    SHOWN,
    SUBJECT,
    UNSOUGHT,
    alternatives,
    compile_pattern,
    search,
)
from bot.evidence import Line

PASTE_REACH = 40
"""Parts of a wording of scope `paste` stand within this many lines."""

TALK_REACH = 3
"""Parts of a description stand in any order when they stand within this many lines of each other."""

LEAST_SURE = 8
"""The weight from which a description is taken for certain; two common words together are only alike."""

LONG_TEXT = 100_000
"""From here on loading hyperscan and compiling the literals (30 ms) pays within one paste (0.3 ms a wording and MB)."""


@dataclass(frozen=True, slots=True)
class Capture:
    """What a named group held, and the text right behind it, where its unit stands."""

    text: str
    behind: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A wording on a line: the first of them when the message was wrapped."""

    problem: Problem
    wording: Wording
    line: Line
    values: Mapping[str, Capture] = field(default_factory=dict)
    start: int = 0  # where on the settled line the match begins
    length: int = 0  # of the match, in characters
    is_whole: bool = True  # whether all that must be said for it is said in one sentence

    @property
    def is_loose(self) -> bool:
        """Whether it only looks like the problem: common words, or words and marks that stand apart."""
        is_light = self.wording.weight < LEAST_SURE
        return self.is_stage or (self.wording.kind == "description" and (is_light or not self.is_whole))

    @property
    def is_stage(self) -> bool:
        """Whether it only tells how far a start came that ran out of memory, as somebody says elsewhere."""
        return self.wording.weight < LEAST_SURE and OUT_OF_MEMORY in self.wording.pattern


class Scanner:
    """All wordings of a set of problems, ready to be looked for in one pass.

    Messages are looked for everywhere; what people say only at the ends of a long text, where people write.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        wordings = [
            (problem, wording) for problem in problems if problem.status == "active" for wording in problem.wordings
        ]
        self._messages = _Shelf(wording for wording in wordings if wording[1].kind == "message")
        self._descriptions = _Shelf(wording for wording in wordings if wording[1].kind == "description")

    def warm(self) -> None:
        """Compile the databases and the classes of words now, in a process that will read many pastes."""
        assert self._messages.database is not None
        assert self._descriptions.database is not None
        self._descriptions.compile()

    def scan(self, lines: Sequence[Line], engine: str | None = None) -> tuple[Hit, ...]:
        """Return the hits in the order of their lines.

        Args:
            lines: The paste.
            engine: "hyperscan" or "python"; both give the same hits, and the quicker one is chosen when None.
        """
        page = Page(lines)
        hits = [*_furthest(self._messages.hits(page, engine)), *self._descriptions.hits(page.talk(), engine)]
        return tuple(sorted(hits, key=lambda hit: (hit.line.number, -hit.wording.weight)))


def _furthest(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield the hits; of records that tell how far a start came that ran out of memory only the furthest.

    The later the stage, the heavier its wording: processes print across each other, so that the last line tells less.
    """
    found = list(hits)
    furthest = max((hit.wording.weight for hit in found if hit.is_stage), default=0)
    return (hit for hit in found if not hit.is_stage or hit.wording.weight == furthest)


class _Shelf:
    """Wordings of one kind."""

    def __init__(self, wordings: Iterable[tuple[Problem, Wording]]) -> None:
        self._wordings = tuple(wordings)
        self._parts = [tuple(_parts(wording)) for _, wording in self._wordings]
        self._patterns = tuple(dict.fromkeys(chain.from_iterable(self._parts)))

    @cached_property
    def database(self) -> scan_hyperscan.Database:
        """The compiled hyperscan database; asking for it compiles it once."""
        return scan_hyperscan.compile_database(self._patterns)

    def compile(self) -> None:
        """Compile every pattern; the cache is shared, so that a process does it once."""
        for pattern in self._patterns:
            for offer in alternatives(pattern):
                compile_pattern(offer)

    def hits(self, page: Page, engine: str | None) -> Iterator[Hit]:
        """Yield the hits of a page."""
        candidates = self._candidates(page, engine)
        for (problem, wording), parts in zip(self._wordings, self._parts, strict=True):
            if candidates.issuperset(parts) and _is_met(wording, page):
                yield from (_hit(problem, wording, page, found) for found in _find(page, wording, parts))

    def _candidates(self, page: Page, engine: str | None) -> frozenset[str]:
        is_compiled = "database" in self.__dict__
        wants_hyperscan = engine == "hyperscan" or (engine is None and (is_compiled or len(page.text) > LONG_TEXT))
        if wants_hyperscan and scan_hyperscan.IS_AVAILABLE:
            return self.database.patterns_in(page)
        return scan_python.patterns_in(self._patterns, page)


def _find(page: Page, wording: Wording, parts: Sequence[str]) -> Iterator[tuple[Found, ...]]:
    if len(parts) == 1:
        return _alone(page, parts[0])
    if wording.kind == "message":
        return _in_order(page, parts)
    if any(not find_pattern(page, part, MOST_TRIED) for part in parts):
        return iter(())
    return _first(_in_one_sentence(page, parts), _in_order(page, parts), _in_any_order(page, parts))


def _hit(problem: Problem, wording: Wording, page: Page, matches: Sequence[Found]) -> Hit:
    first = matches[0]
    values = {name: value for match in matches for name, value in _captures(match.match)}
    return Hit(
        problem,
        wording,
        page.lines[first.index],
        values,
        first.match.start(),
        len(first.match[0]),
        is_whole=len({match.index for match in matches if page.told is None or match.index in page.told.said}) == 1,
    )


def _parts(wording: Wording) -> list[str]:
    """Return what must be found of a wording on some line."""
    parts = wording.pattern.split(PASTE_SEPARATOR) if wording.scope == "paste" else [wording.pattern]
    return [part for part in parts if part not in UNSOUGHT]


def _is_met(wording: Wording, page: Page) -> bool:
    """Return whether the page is of what a wording is about."""
    return (SUBJECT not in wording.pattern or page.is_of_vllm) and (
        OUT_OF_MEMORY not in wording.pattern or page.is_out_of_memory
    )


def _captures(match: re.Match[str]) -> Iterator[tuple[str, Capture]]:
    for name, text in match.groupdict().items():
        if text is not None:
            yield name, Capture(text, match.string[match.end(name) : match.end(name) + 8])


def _alone(page: Page, pattern: str) -> Iterator[tuple[Found, ...]]:
    return ((match,) for match in find_pattern(page, pattern))


def _in_order(page: Page, parts: Sequence[str]) -> Iterator[tuple[Found, ...]]:
    """Yield the first chain of matches, one a part, each behind the one before it and within reach."""
    found = [find_pattern(page, part, MOST_TRIED) for part in parts]
    for first in found[0]:
        linked = [first]
        for part, matches in zip(parts[1:], found[1:], strict=True):
            following = _behind(page, part, linked[-1], matches)
            if following is None or following.index > first.index + PASTE_REACH:
                break
            linked.append(following)
        if len(linked) == len(parts):
            yield tuple(linked)
            return


def _first(*offers: Iterator[tuple[Found, ...]]) -> Iterator[tuple[Found, ...]]:
    """Yield the first chain that any of the offers gives."""
    yield from islice(chain.from_iterable(offers), 1)


def _in_one_sentence(page: Page, parts: Sequence[str]) -> Iterator[tuple[Found, ...]]:
    """Yield the parts of a description where one sentence holds all of them; what is shown stands anywhere near it."""
    said = [find_pattern(page, part, MOST_TRIED) for part in parts if not part.startswith(SHOWN)]
    shown = [find_pattern(page, part, MOST_TRIED) for part in parts if part.startswith(SHOWN)]
    places = set.intersection(*({match.index for match in matches} for matches in said)) if said else ()
    for index in sorted(places):
        near = [_nearest(index, matches) for matches in [*said, *shown]]
        if all(match and abs(match.index - index) <= PASTE_REACH for match in near):
            yield tuple(match for match in near if match)
            return


def _in_any_order(page: Page, parts: Sequence[str]) -> Iterator[tuple[Found, ...]]:
    """Yield the parts of a description where they stand near each other: people say things in any order."""
    found = [find_pattern(page, part, MOST_TRIED) for part in parts]
    for first in found[0]:
        near = [_nearest(first.index, matches) for matches in found]
        indexes = [match.index for match in near if match]
        if len(indexes) == len(parts) and max(indexes) - min(indexes) <= TALK_REACH:
            yield tuple(match for match in near if match)
            return


def _nearest(index: int, matches: Sequence[Found]) -> Found | None:
    return min(matches, key=lambda match: abs(match.index - index), default=None)


def _behind(page: Page, part: str, before: Found, matches: Sequence[Found]) -> Found | None:
    """Return the first match behind another one: on the rest of its line, or on a line below."""
    line = page.settled[before.index]
    on_line = search(part, line, before.match.end()) if before.match.string == line else None
    if on_line and is_meant(page, on_line):
        return Found(before.index, on_line)
    below = before.index + (before.match.string == line)
    return next((match for match in matches if match.index >= below), None)
