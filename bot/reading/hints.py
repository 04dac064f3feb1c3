"""Finds which lines hold which of many fixed texts, at the speed of string search."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate


def find_hints(texts: Sequence[str], hints: Sequence[str]) -> list[tuple[int, int]]:
    """Return sorted (place of the line, place of the hint) for each line that holds a hint.

    >>> find_hints(["a KV b", "none", "KV KV GiB"], ["GiB", "KV"])
    [(0, 1), (2, 0), (2, 1)]
    """
    whole = "\n".join(texts)
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    found: list[tuple[int, int]] = []
    for number, hint in enumerate(hints):
        found += [(place, number) for place in _lines_with(whole, hint, starts)]
    found.sort()
    return found


def _lines_with(whole: str, hint: str, starts: list[int]) -> Iterator[int]:
    at = whole.find(hint)
    while at >= 0:
        place = bisect_right(starts, at) - 1
        yield place
        at = whole.find(hint, starts[place + 1])
