"""How long the profile run took, by the clock of the log: so long that it must have compiled first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.evidence import Line
from bot.facts import Fact
from bot.reading.figures import note
from bot.reading.late import Late

_CLOCK = Late(r"(?<!\d)(\d\d-\d\d \d\d:\d\d:\d\d)\b")
_BEGIN, _ENDS = "Model loading took", ("Profiling CUDA graph memory:", "Available KV cache memory:")
_COMPILED = timedelta(seconds=90)
"""Starts that found their graphs took 7 to 16 seconds in 18 logs, in eager mode up to 88 on slow machines."""
_LEAP_YEAR = "2028-"


def time_compiling(lines: Sequence[Line]) -> Fact | None:
    """Return that graphs were compiled, where loaded weights and the profile's result lie so far apart; else None.

    A short time decides nothing: a small model compiles in it as well.
    """
    begin: Line | None = None
    end: Line | None = None
    for line in lines:
        if _BEGIN in line.text:
            begin, end = line, None
        elif begin is not None and end is None and any(mark in line.text for mark in _ENDS):
            end = line
    took = _between(begin, end) if begin is not None and end is not None else None
    return note("compile_cache", "cold", end) if end is not None and took is not None and took >= _COMPILED else None


def _between(begin: Line, end: Line) -> timedelta | None:
    first, last = _read_clock(begin), _read_clock(end)
    return last - first if first and last else None


def _read_clock(line: Line) -> datetime | None:
    """Return when a line was written; a log does not tell the year."""
    found = _CLOCK.regex.search(line.text)
    try:
        return datetime.strptime(_LEAP_YEAR + found[1], "%Y-%m-%d %H:%M:%S") if found else None  # noqa: DTZ007
    except ValueError:
        return None
