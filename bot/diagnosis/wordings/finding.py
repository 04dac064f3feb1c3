"""Where a pattern stands on a page: one match a line, the first and the last where there are many."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from bot.diagnosis.wordings.page import MOST_TORN, REACH, Page, Window
from bot.diagnosis.wordings.patterns import SHOWN, alternatives, compile_pattern, likely_literals, required_literals
from bot.diagnosis.words.roles import is_conditional, is_denied, is_of_anybody

MOST_HITS = 8
"""Hits kept of one wording: a message repeated by every worker says nothing new."""

MOST_TRIED = 64
"""Places of one part of a wording that are tried: half from the beginning of the text, half from its end."""


@dataclass(frozen=True, slots=True)
class Found:
    """A match, and the line of the page that it begins on."""

    index: int
    match: re.Match[str]


def find_pattern(page: Page, pattern: str, most: int = MOST_HITS) -> Sequence[Found]:
    """Return where a pattern stands, at most `most` times, one match a line."""
    held = page.found.get(pattern)
    if held is None:
        offers = alternatives(pattern)
        found = _matching_lines(page, pattern) if len(offers) == 1 else _of_any(page, offers)
        held = page.found[pattern] = tuple(islice(found, MOST_TRIED))
    return held[:most]


def _of_any(page: Page, patterns: Sequence[str]) -> Iterator[Found]:
    """Yield the first match of any of the patterns on each line that has one."""
    by_line: dict[int, Found] = {}
    for match in chain.from_iterable(find_pattern(page, pattern, MOST_TRIED) for pattern in patterns):
        by_line.setdefault(match.index, match)
    return (by_line[index] for index in sorted(by_line))


def _matching_lines(page: Page, pattern: str) -> Iterator[Found]:
    """Yield the first and the last matches, one a line: a run begins with the former and fails at the latter."""
    regex = compile_pattern(pattern)
    lines = page.lines_with(likely_literals(pattern), is_shown=pattern.startswith(SHOWN))
    torn = {*lines[:MOST_TORN], *lines[-MOST_TORN:]} if required_literals(pattern) else frozenset[int]()
    first = _some(page, regex, lines, torn)
    yield from (first[index] for index in sorted(first))
    if len(first) == MOST_TRIED // 2:
        end = max(first)
        last = _some(page, regex, [line for line in reversed(lines) if line > end], torn)
        yield from (last[index] for index in sorted(last) if index > end)


def _some(page: Page, regex: re.Pattern[str], lines: Iterable[int], torn: Collection[int]) -> dict[int, Found]:
    """Return half of the matches that are tried, in the order of the lines, each under its line."""
    found: dict[int, Found] = {}
    for index in lines:
        match = _match_at(page, regex, index, is_long=index in torn)
        if match is not None:
            found.setdefault(match.index, match)
        if len(found) == MOST_TRIED // 2:
            break
    return found


def _match_at(page: Page, regex: re.Pattern[str], index: int, *, is_long: bool) -> Found | None:
    """Return the match on a line, or one that began up to two lines above; a pattern of a few signs is not torn."""
    match = _meant(page, regex, page.settled[index])
    if match or not is_long:
        return Found(index, match) if match else None
    for start in range(max(0, index + 1 - REACH), index + 1):
        for window in page.windows_from(start):
            match = _crossing(regex, window)
            if match:
                return Found(start, match)
    return None


def _meant(page: Page, regex: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next((match for match in regex.finditer(text) if is_meant(page, match)), None)


def is_meant(page: Page, match: re.Match[str]) -> bool:
    """Return whether a match states what it says: no sentence that denies it, no advice for the case that it happens."""
    if page.is_talk:
        place = match.start()
        return not is_denied(match.string, place, match[0]) and not is_of_anybody(match.string, place)
    return not is_conditional(match.string, match.start())


def _crossing(regex: re.Pattern[str], window: Window) -> re.Match[str] | None:
    """Return a match that begins on the window's first line and ends beyond it."""
    match = regex.search(window.text)
    return match if match and match.start() < window.first < match.end() else None
