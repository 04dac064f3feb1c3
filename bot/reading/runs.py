"""Where in a log the last start of vLLM begins: the figures of an earlier one are of another deployment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import Line

_BEGINS = re.compile(
    r"Initializing an? (?P<engine>V[01] )?(?:LLM|DiT|async LLM) engine|(?P<server>API server version)|\u2588 (?P<banner>version) \d"
)
_FIGURE = re.compile(r"\d ?Gi?B\b|blocks: \d|KV cache size: \d|KV cache usage")


def last_run(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines from the last start on that printed a figure; all of them where there was one start.

    Ranks of one start have names of their own: the same line of the same process again, with figures in between,
    is another start.
    """
    starts = _starts(lines)
    while starts and not any(_FIGURE.search(line.text) for line in lines[starts[-1] :]):
        starts.pop()
    return lines[starts[-1] :] if starts else lines


def _starts(lines: Sequence[Line]) -> list[int]:
    """Return the places where a later start begins: behind the last figure of the one before, for vLLM speaks before it says so."""
    starts: list[int] = []
    seen: set[tuple[str | None, str | None]] = set()
    last_figure: int | None = None
    for place, line in enumerate(lines):
        found = _BEGINS.search(line.text) if "ngin" in line.text or "version" in line.text else None
        key = (found.lastgroup, line.process) if found else None
        if key in seen and last_figure is not None:
            starts.append(last_figure + 1)
            seen.clear()
            last_figure = None
        if key:
            seen.add(key)
        if seen and _FIGURE.search(line.text):
            last_figure = place
    return starts
