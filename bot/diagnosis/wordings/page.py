"""A paste made ready for scanning: its lines in one text, with the way back from a place to a line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from bot.diagnosis.wordings.patterns import settle
from bot.diagnosis.words.foreign import name_subject
from bot.diagnosis.words.ran_out import ran_out
from bot.diagnosis.words.roles import Told, tell_apart
from bot.evidence import Line

REACH = 3
"""A message that was wrapped stands on at most this many lines."""

NARROWEST = 60
"""No terminal wraps at fewer columns."""

USUAL_WIDTHS = frozenset({79, 80, 100, 120, 132})

SHORT_PAGE = 400
"""In a page of so many lines a width that three lines share is a wrap, even when others are longer."""

EDGE = 100
"""Lines at either end of a paste in which a person's own words are looked for."""

MOST_TORN = 24
"""Lines at either end across which a wrapped message is looked for."""

MOST_SPOKEN = 40
"""Sentences at either end in which people's words are looked for."""

LONG_PAGE = 4_000
"""Nobody copies so many lines from a terminal; a file's lines are whole."""

_EDGES = frozenset({"", " ", ">", "│", "┃"})

_EXCEPTION = re.compile(r"(?:error|exception|exit)\b:", re.ASCII)
_RECORD = re.compile(
    r"""
      (?:debug|info|warning|error|critical|traceback|file)\b[ :]   # a log record or a frame
      | \d{4}-\d\d-\d\d[t ] | \d\d-\d\d\ \d\d:\d\d | \d\d:\d\d:\d\d
      | [$\#+`*•~|] | [a-z_.]+(?:error|exception|exit):             # a prompt, a table, a fence, an exception
    """,
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Window:
    """Adjacent lines read as one, and how long the first of them is."""

    text: str
    first: int


@dataclass(frozen=True)
class Page:
    """The lines of a paste."""

    lines: Sequence[Line]
    told: Told | None = None  # of a page of talk: its sentences, where each begins on the line of its index
    paste: Page | None = None  # of a page of talk: the page that it was taken from

    @cached_property
    def settled(self) -> list[str]:
        """The lines, or people's sentences, without borders and doubled white space."""
        return [
            text
            if "  " not in text and "\t" not in text and text[:1] not in _EDGES and text[-1:] not in _EDGES
            else settle(text)
            for text in (self.told.texts if self.told else [line.text for line in self.lines])
        ]

    @cached_property
    def text(self) -> str:
        """All lines, lower case, one a line; every character stays one character."""
        text = "\n".join(self.settled)
        lowered = text.lower()
        return lowered if len(lowered) == len(text) else "".join(map(_lower, text))

    @cached_property
    def flat(self) -> str:
        """The same text with a space for each line's end, so that a wrap is a space; places are the same."""
        return self.text.replace("\n", " ")

    @cached_property
    def mended(self) -> str:
        """Lower-case text of what a cut or a repeated prefix tore apart; empty for most pastes."""
        windows = (window for index in self.mendable for window in self.windows_from(index))
        return "\n".join(window.text.lower() for window in windows)

    @cached_property
    def torn(self) -> frozenset[int]:
        """The indexes of lines cut at a column, and of exceptions whose message may go on behind a prefix."""
        places = (found.start() for found in _EXCEPTION.finditer(self.text))
        return self._cut | {self.index_at(place) for place in places}

    @cached_property
    def mendable(self) -> tuple[int, ...]:
        """The torn lines near either end: a message that was torn in between stands whole there, or nowhere."""
        return _ends(sorted(self.torn), MOST_TORN)

    @property
    def is_talk(self) -> bool:
        """Whether people's own words are looked for, rather than messages."""
        return self.told is not None

    @cached_property
    def is_out_of_memory(self) -> bool:
        """Whether a GPU's memory ran out, by an exception or in somebody's words."""
        talk = self.talk()
        return ran_out(self.text, (talk.settled[index] for index in sorted(talk.spoken)))

    @cached_property
    def is_of_vllm(self) -> bool:
        """Whether vLLM is named, or its own lines or commands stand here."""
        return self.paste.is_of_vllm if self.paste else name_subject(self.lines).is_likely_vllm

    def lines_with(self, literals: Sequence[str], *, is_shown: bool = False) -> Sequence[int]:
        """Return the indexes of the lines on which one of the texts stands or begins; of all when none is given.

        Of a page of talk they are people's sentences, unless what is looked for is something shown.
        """
        wanted = self.spoken if self.is_talk and not is_shown else None
        if not literals:
            return range(len(self.lines)) if wanted is None else sorted(wanted)
        tried = {self.index_at(place) for literal in literals for place in _places(self.flat, literal)}
        torn = self.mendable if any(literal in self.mended for literal in literals) else ()
        found = sorted(tried.union(torn))
        return found if wanted is None else [index for index in found if index in wanted]

    def index_at(self, place: int) -> int:
        """Return the index of the line that a place in `text` or `flat` lies on."""
        return min(bisect_right(self._starts, place) - 1, len(self.lines) - 1)

    def windows_from(self, index: int) -> list[Window]:
        """Return the windows of two and three lines that start at `index`, joined in each way they can be."""
        held = self._windows.get(index)
        if held is None:
            held = self._windows[index] = self._join(index)
        return held

    def talk(self) -> Page:
        """Return the page of what people say."""
        return self._talk

    @cached_property
    def _talk(self) -> Page:
        """The ends of the page as people's talk, by the sentence: they write above and below what they paste."""
        places = _ends(range(len(self.lines)), EDGE)
        cut = [index for index, place in enumerate(places) if place in self._cut]
        told = tell_apart([self.lines[place] for place in places], cut)
        return Page(told.lines, told, self)

    @cached_property
    def spoken(self) -> frozenset[int]:
        """The indexes of the sentences that people wrote."""
        return frozenset(_ends(self.told.said if self.told else (), MOST_SPOKEN))

    @cached_property
    def found(self) -> dict[str, Any]:
        """What was found on this page already, by pattern."""
        return {}

    @cached_property
    def _windows(self) -> dict[int, list[Window]]:
        return {}

    def _join(self, index: int) -> list[Window]:
        if self.is_talk:  # its sentences are whole
            return []
        parts = [self.settled[index]]
        windows: list[Window] = []
        for following in range(index + 1, min(index + REACH, len(self.settled))):
            part = self._continuation(following, index in self.torn)
            if not part:
                break
            parts.append(part)
            windows.append(Window(" ".join(parts), len(parts[0])))
            if index in self._cut:
                windows.append(Window("".join(parts), len(parts[0])))
        return windows

    def _continuation(self, index: int, is_torn: bool) -> str:
        """Return what a line adds to the one before it; nothing when it begins something new."""
        line, before = self.lines[index], self.lines[index - 1]
        is_shared = is_torn and line.start > 0 and line.text[: line.start] == before.text[: before.start]
        if line.level is not None and not is_shared:
            return ""
        text = settle(line.message) if is_shared else self.settled[index]
        return "" if _RECORD.match(text) else text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(text) + 1 for text in self.settled)]

    @cached_property
    def _cut(self) -> frozenset[int]:
        if len(self.lines) > LONG_PAGE or self.is_talk:
            return frozenset()
        lengths = [len(line.text.rstrip()) for line in self.lines]
        widths = _wrap_widths(Counter(lengths), len(lengths))
        return frozenset(index for index, length in enumerate(lengths) if length in widths)


def _places(text: str, literal: str) -> Iterator[int]:
    place = text.find(literal)
    while place >= 0:
        yield place
        place = text.find(literal, place + len(literal))


def _ends(indexes: Sequence[int], most: int) -> tuple[int, ...]:
    """Return the first and the last `most` of some indexes."""
    return tuple(indexes) if len(indexes) <= 2 * most else (*indexes[:most], *indexes[-most:])


def _lower(character: str) -> str:
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _wrap_widths(counts: Counter[int], lines: int) -> set[int]:
    """Return the line lengths at which a terminal seems to have cut."""
    if not counts:
        return set()
    longest = max(counts)
    widths = {width for width, count in counts.items() if count > 2 and lines <= SHORT_PAGE}
    if counts[longest] > 1 or longest in USUAL_WIDTHS:
        widths.add(longest)
    return {width for width in widths if width >= NARROWEST}
