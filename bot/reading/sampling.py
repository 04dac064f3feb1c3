"""Which lines of a long text are worth reading: beginning, end, and of each kind of line in between the first few."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from bot.reading.blocks import MARKS, Blocks, Mark
from bot.reading.late import Late

LONGEST_LINE = 40_000
"""Characters of a line that are read: all that a chat message may hold, and more than any line that vLLM prints."""

EDGE = 100
"""Lines at the beginning and at the end that are kept whatever they say: a table's rows all look alike."""

MOST_SHAPES = 50_000
MOST_LINES = 8_000
MOST_CHARACTERS = 300_000
MOST_UNTELLING = 40_000
"""Characters of lines without a telling word: as many as a chat message has, so that they never crowd out the others."""

_FIRST_CHUNK = 200
"""Lines; most kinds of line are met in the first few, and from then on a chunk is passed over at once."""
_CHUNK = 4_000
_VARIES = b"0123456789abcdef.,"
_TELLING = (
    # figures bind by their smallest or largest, so that every rank's line must be seen
    ("GiB", 128), ("KV cache size", 128), ("blocks:", 128), ("MiB", 32), ("LLM engine", 32), ("args:", 32), ("concurrency", 128),
    ("Error", 6), ("ERROR", 6), ("rror", 6), ("xception", 6), ("WARNING", 4), ("Traceback", 6), ("CRITICAL", 6), ("FATAL", 6), ("atal", 6),
    ("  File ", 3), ("ailed", 4), ("illed", 6), ("NCCL", 3), ("Xid", 8), ("OOM", 8), ("oom", 8), ("memory", 8), ("vllm", 4), ("model", 4),
    ("died", 6), ("preempt", 8), ("CUDA", 4), ("tokens", 4), ("refused", 4), ("timed out", 4), ("imeout", 4), ("terminat", 4), ("abort", 4),
)  # fmt: skip
_OTHERWISE = 2
_SIGNS = (*((mark.text, place - len(MARKS)) for place, mark in enumerate(MARKS)), *_TELLING)
"""Text → how many lines of a shape are kept; below zero the place of the mark, counted from the end."""
_PERIODIC = "KV cache usage"
_STATE = Late(r"(?:Waiting|Pending): (\d{1,9}) reqs?\b.{0,80}?KV cache usage: (\d{1,3}(?:\.\d{1,3})?)")
_USAGE = re.compile(r"KV cache usage: (\d{1,3}(?:\.\d{1,3})?)")


@dataclass(slots=True)
class Sieve:
    """Takes lines in order and keeps the telling ones, with their numbers, in bounded memory."""

    cut: list[int] = field(default_factory=list[int])  # numbers of lines that were too long to read whole
    is_full: bool = False
    blocks: Blocks = field(default_factory=Blocks)
    _kept: dict[int, str] = field(default_factory=dict[int, str])
    _rooms: dict[bytes, int] = field(
        default_factory=dict[bytes, int]
    )  # shape → how many more of it are kept; below zero its mark
    _tail: deque[tuple[int, str]] = field(default_factory=lambda: deque[tuple[int, str]](maxlen=EDGE))
    _latest: tuple[int, str] | None = None  # of the periodic lines
    _fullest: tuple[int, str] | None = None  # of them, the one with the worst state
    _state: tuple[float, int] = (-1.0, -1)  # KV cache usage and queue of that line
    _count: int = 0
    _length: int = 0
    _untelling: int = 0

    def take(self, lines: Sequence[str]) -> None:
        """Read one chunk."""
        text = "\n".join(lines)
        shapes = text.encode("utf-8", "replace").translate(None, _VARIES).split(b"\n")
        first = self._count + 1
        places = self._worth_a_look(shapes)
        self._make_rooms((shapes[place], lines[place]) for place in places if shapes[place] not in self._rooms)
        marked: list[tuple[int, Mark]] = []
        for place in places:
            room = self._take_line(first + place, lines[place], shapes[place])
            if room < 0:
                marked.append((first + place, MARKS[room]))
        if _PERIODIC in text:
            self._note_periodic(text, lines)
        self.blocks.take(lines, first, marked)
        while len(self._rooms) > MOST_SHAPES:
            self._rooms.popitem()
        self._count += len(lines)
        start = max(0, len(lines) - EDGE)
        self._tail.extend(enumerate(lines[start:], first + start))

    def finish(self) -> list[tuple[int, str]]:
        """Return the kept lines in order, the end of the text included."""
        periodic = [pair for pair in (self._latest, self._fullest) if pair]
        for number, line in (*self._tail, *self.blocks.finish(), *periodic):
            if number not in self._kept:
                self._kept[number] = self._bound(number, line)
        return sorted(self._kept.items())

    def _worth_a_look(self, shapes: Sequence[bytes]) -> Iterable[int]:
        """Return the places of the lines that may be kept: of the other shapes there are enough."""
        if self._count < EDGE:
            return range(len(shapes))
        room_of = self._rooms.get
        return [place for place, shape in enumerate(shapes) if room_of(shape, _OTHERWISE)]

    def _take_line(self, number: int, line: str, shape: bytes) -> int:
        """Keep a line if there is room for it; return the room that its shape had, below zero the place of its mark."""
        room = self._rooms.get(shape, 0)
        if room > 0:
            self._rooms[shape] = room - 1
        if room > 0 or number <= EDGE:
            self._keep(number, line)
        return room

    def _make_rooms(self, found: Iterable[tuple[bytes, str]]) -> None:
        """Note for each new shape how many lines of it are kept; below zero the place of the mark that it holds."""
        new = {shape: line[:LONGEST_LINE] for shape, line in found}
        text = "\n".join(new.values())
        signs = [(sign, room) for sign, room in _SIGNS if sign in text]
        for shape, line in new.items():
            rooms = [room for sign, room in signs if sign in line] or [self._make_untelling_room(len(line))]
            self._rooms[shape] = min(rooms) if min(rooms) < 0 else max(rooms)

    def _make_untelling_room(self, length: int) -> int:
        is_full = self._untelling > MOST_UNTELLING
        self._untelling += 0 if is_full else _OTHERWISE * length
        return 0 if is_full else _OTHERWISE

    def _keep(self, number: int, line: str) -> None:
        if len(self._kept) >= MOST_LINES or self._length >= MOST_CHARACTERS:
            self.is_full = True
            return
        self._length += len(line)
        self._kept[number] = self._bound(number, line)

    def _bound(self, number: int, line: str) -> str:
        if len(line) <= LONGEST_LINE:
            return line
        self.cut.append(number)
        return line[:LONGEST_LINE]

    def _note_periodic(self, text: str, lines: Sequence[str]) -> None:
        """Remember the latest of the periodic lines, and the one with the fullest cache and the longest queue."""
        first = self._count + 1
        last = text.count("\n", 0, text.rfind(_PERIODIC))
        self._latest = first + last, lines[last]
        fullest = max(set(_USAGE.findall(text)), key=float, default="-1")
        if float(fullest) < self._state[0]:
            return
        for place, line in enumerate(lines):
            found = _STATE.search(line) if f"{_PERIODIC}: {fullest}" in line else None
            state = (float(found[2]), int(found[1])) if found else self._state
            if state > self._state:
                self._state, self._fullest = state, (first + place, line)


def chunks_of(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines in lists of bounded length, without their ends."""
    iterator = iter(lines)
    size = _FIRST_CHUNK
    while chunk := [line.rstrip("\r\n")[: LONGEST_LINE + 1] for line in islice(iterator, size)]:
        yield chunk
        size = min(2 * size, _CHUNK)
