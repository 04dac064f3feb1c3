"""Which lines of a long text are worth reading: beginning, end, and of each kind of line in between the first few."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from bot.reading.blocks import MARKS, Blocks, Mark, place_of_mark

LONGEST_LINE = 20_000
"""Characters of a line that are read; the longest real line, an engine's configuration, has about 6,000."""

EDGE = 150
"""Lines at the beginning and at the end that are kept whatever they say: a table's rows all look alike."""

MOST_SHAPES = 50_000
MOST_LINES = 8_000
MOST_CHARACTERS = 300_000

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
_PERIODIC = re.compile(r"(?:Waiting|Pending): (\d{1,9}) reqs?\b.{0,80}?KV cache usage: (\d{1,3}(?:\.\d{1,3})?)")


@dataclass(slots=True)
class Sieve:
    """Takes lines in order and keeps the telling ones, with their numbers, in bounded memory."""

    kept: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    cut: list[int] = field(default_factory=list[int])  # numbers of lines that were too long to read whole
    is_full: bool = False
    blocks: Blocks = field(default_factory=Blocks)
    _rooms: dict[bytes, int] = field(
        default_factory=dict[bytes, int]
    )  # shape → how many more of it are kept; below zero its mark
    _tail: deque[tuple[int, str]] = field(default_factory=lambda: deque[tuple[int, str]](maxlen=EDGE))
    _periodic: tuple[int, str] | None = None  # the latest periodic line
    _fullest: tuple[float, int] = (-1.0, -1)  # KV cache usage and queue of the worst periodic line so far
    _count: int = 0
    _length: int = 0

    def take(self, lines: list[str]) -> None:
        """Read one chunk."""
        shapes = "\n".join(lines).encode("utf-8", "replace").translate(None, _VARIES).split(b"\n")
        number = self._count
        rooms = self._rooms
        marked: list[tuple[int, Mark]] = []
        for line, shape in zip(lines, shapes, strict=False):
            number += 1
            room = rooms.get(shape)
            if room is None:
                room = self._make_room(shape, line)
            if room > 0 or number <= EDGE:
                rooms[shape] = room - 1 if room > 0 else room
                self._keep(number, line)
            elif "KV cache usage" in line:
                self._keep_if_worse(number, line)
            if room < 0:
                marked.append((number, MARKS[room]))
        self.blocks.take(lines, self._count + 1, marked)
        self._count = number
        self._tail.extend(
            (number - len(lines) + 1 + place, lines[place]) for place in range(max(0, len(lines) - EDGE), len(lines))
        )

    def finish(self) -> list[tuple[int, str]]:
        """Return the kept lines in order, the end of the text included."""
        kept = dict(self.kept)
        latest = [self._periodic] if self._periodic else []
        for number, line in (*self._tail, *self.blocks.finish(), *latest):
            if number not in kept:
                kept[number] = self._bound(number, line)
        self.kept = sorted(kept.items())
        return self.kept

    def _make_room(self, shape: bytes, line: str) -> int:
        """Return how many lines of a new shape are kept; below zero the place of the mark that it holds."""
        line = line[:LONGEST_LINE]
        room = place_of_mark(line) or max((room for word, room in _TELLING if word in line), default=_OTHERWISE)
        if len(self._rooms) >= MOST_SHAPES:
            return room if room < 0 else 1 if room > _OTHERWISE else 0
        self._rooms[shape] = room
        return room

    def _keep(self, number: int, line: str) -> None:
        if len(self.kept) >= MOST_LINES or self._length >= MOST_CHARACTERS:
            self.is_full = True
            return
        self._length += len(line)
        self.kept.append((number, self._bound(number, line)))

    def _bound(self, number: int, line: str) -> str:
        if len(line) <= LONGEST_LINE:
            return line
        self.cut.append(number)
        return line[:LONGEST_LINE]

    def _keep_if_worse(self, number: int, line: str) -> None:
        self._periodic = (number, line)
        found = _PERIODIC.search(line, 0, LONGEST_LINE)
        state = (float(found[2]), int(found[1])) if found else (-1.0, -1)
        if state > self._fullest:
            self._fullest = state
            self._keep(number, line)


def chunks_of(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines in lists of bounded length, without their ends."""
    iterator = iter(lines)
    while chunk := [line.rstrip("\r\n")[: LONGEST_LINE + 1] for line in islice(iterator, _CHUNK)]:
        yield chunk
