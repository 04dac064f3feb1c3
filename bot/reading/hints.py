"""Finds which lines hold which of many fixed texts, at the speed of string search."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

_BLANKS = re.compile(r"[ \t]{2,}|\t")


def find_hints(texts: Sequence[str], hints: Sequence[str]) -> list[tuple[int, int]]:
    """Return sorted (place of the line, place of the hint) for each line that holds a hint, a blank in it standing for any run of blanks.

    >>> find_hints(["a KV b", "none", "KV KV GiB"], ["GiB", "KV"])
    [(0, 1), (2, 0), (2, 1)]
    """
    whole = "\n".join(texts)
    if "  " in whole or "\t" in whole:
        whole = _BLANKS.sub(" ", whole)
        texts = whole.split("\n")
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
