"""The front door of reading: text in, evidence out; it never fails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.evidence import Evidence, Line, merge
from bot.reading.clean import number_lines, tidy
from bot.reading.joining import join
from bot.reading.readers import READERS, reader_of
from bot.reading.scrub import scrub


def read(text: str) -> Evidence:
    """Return all that a text shows; secrets are taken off first."""
    return _read_clean(number_lines(scrub(tidy(text))))


def read_lines(lines: Iterable[str]) -> Evidence:
    """Return all that a stream of lines shows."""
    return read("\n".join(line.rstrip("\n") for line in lines))


def _read_clean(lines: Sequence[Line]) -> Evidence:
    joined = tuple(join(lines))
    text = "\n".join(line.text for line in joined)
    wanted = [name for name, hints in READERS.items() if not hints or any(hint in text for hint in hints)]
    found = merge(*(reader_of(name)(joined) for name in wanted))
    return found.model_copy(update={"lines": joined})
