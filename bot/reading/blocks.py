"""Outputs, manifests and commands inside a long log: their rows look alike, and each row counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

LONGEST_BLOCK = 6_000
"""Lines; a report of eight GPUs has about 3,000."""
LONGEST_COMMANDS = 200
"""Lines of commands side by side, or of the services of a manifest; no single one has as many."""


class Mark(NamedTuple):
    """A text that stands in an output, and how many lines around it may belong to it."""

    text: str
    before: int
    behind: int
    longest: int = LONGEST_BLOCK  # lines of outputs side by side that are held as one


# vLLM's own lines hold none of them.
MARKS = (
    Mark("MiB |", 14, 50),  # a table's GPU, up to the next one's or the processes
    Mark("NVIDIA-SMI", 4, 60),
    Mark("MiB,", 12, 12),  # CSV
    Mark("(UUID:", 10, 10),
    Mark("NVSMI LOG", 2, 40),
    Mark("FB Memory Usage", 70, 330),
    Mark("fb_memory_usage", 120, 330),
    Mark("<process_info>", 20, 40),
    Mark("Process ID", 20, 20),
    Mark("# gpu", 2, 60),  # dmon, pmon
    Mark("VRAM", 40, 40),  # AMD's tools
    Mark("AMD-SMI", 2, 60),
    Mark(" MB |", 10, 20),  # gpustat
    Mark("GPU0\t", 2, 30),  # topo
    Mark('"hidden_size"', 60, 90),
    Mark("nvidia.com/gpu", 60, 30),
    Mark("apiVersion:", 2, 90),
    Mark("vllm/vllm-openai", 30, 40, LONGEST_COMMANDS),
    Mark("vllm serve", 2, 30, LONGEST_COMMANDS),
    Mark("vllm.entrypoints", 2, 30, LONGEST_COMMANDS),
    Mark("vLLM Version", 120, 60),
)
FARTHEST = max(mark.before for mark in MARKS)
LAST_BLOCKS = 3
"""Blocks of one mark that are held: of an output that a loop prints the last counts."""
MOST_CHARACTERS = 400_000
"""Characters of all blocks together; a report of eight GPUs has about 200,000."""

Numbered = tuple[int, str]


class _Span(NamedTuple):
    first: int
    last: int
    mark: str
    longest: int


@dataclass(slots=True)
class Blocks:
    """Takes a text chunk by chunk and holds the last blocks of each mark, in bounded memory."""

    is_full: bool = False  # there was no room for all of them
    _held: dict[str, deque[list[Numbered]]] = field(default_factory=dict[str, "deque[list[Numbered]]"])
    _open: list[Numbered] = field(default_factory=list[Numbered])  # a block that goes on in the next chunk
    _open_span: _Span | None = None
    _before: list[Numbered] = field(default_factory=list[Numbered])  # the last lines in front of the chunk

    def take(self, lines: Sequence[str], first: int, marked: Iterable[tuple[int, Mark]]) -> None:
        """Read one chunk: its lines, the number of the first, and which numbers hold a mark."""
        spans = [
            _Span(max(1, number - mark.before), number + mark.behind, mark.text, mark.longest)
            for number, mark in marked
        ]
        if self._open_span:
            spans.insert(0, self._open_span)
        end = first + len(lines)
        went_on, self._open, self._open_span = self._open, [], None
        for span in _merged(spans):
            begun = went_on if went_on and span.first == went_on[0][0] else []
            start = begun[-1][0] + 1 if begun else span.first
            block = [*begun, *(pair for pair in self._before if start <= pair[0])]
            start = max(start, first)
            block += [(number, lines[number - first]) for number in range(start, min(span.last + 1, end))]
            self._close_or_keep(block, span, end)
        start = max(first, end - FARTHEST)
        self._before = [*self._before, *((number, lines[number - first]) for number in range(start, end))][-FARTHEST:]

    def finish(self) -> Iterator[Numbered]:
        """Yield the lines of the blocks, those of the last blocks first, as far as there is room."""
        room = MOST_CHARACTERS
        blocks = [block for held in self._held.values() for block in held] + [self._open]
        for block in sorted(filter(None, blocks), key=lambda block: block[-1][0], reverse=True):
            room -= sum(len(text) for _, text in block)
            if room < 0:
                self.is_full = True
                return
            yield from block

    def _close_or_keep(self, block: list[Numbered], span: _Span, end: int) -> None:
        """Hold a block; one that reaches the chunk's end stays open, unless it is too long to be an output.

        A span that begins behind the chunk is an open block without lines; the one in front of it ends where it begins.
        """
        if self._open_span:
            self._hold(self._open, self._open_span)
            self._open, self._open_span = [], None
        if span.last >= end and len(block) < span.longest:
            self._open, self._open_span = block, span._replace(first=block[0][0] if block else span.first)
        else:
            self._hold(block, span)

    def _hold(self, block: list[Numbered], span: _Span) -> None:
        if block:
            self._held.setdefault(span.mark, deque(maxlen=LAST_BLOCKS)).append(block[-span.longest :])


def _merged(spans: Sequence[_Span]) -> Iterator[_Span]:
    """Yield the spans in order; those that touch are one, named by its first mark, as long as one of them may be."""
    held: _Span | None = None
    for span in sorted(spans):
        longest = max(held.longest, span.longest) if held else 0
        if held and span.first <= held.last + 1 and span.last - held.first < longest:
            held = held._replace(last=max(held.last, span.last), longest=longest)
            continue
        if held:
            yield held
        held = span._replace(first=max(span.first, held.last + 1)) if held else span
    if held:
        yield held
