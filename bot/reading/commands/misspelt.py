"""Arguments that somebody misspelt, where only one of vLLM's can be meant: "--gpu-mmeory-utilization"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache, reduce
from operator import or_

FARTHEST = 2
"""Letters wrong, missing, too many or swapped; no two of vLLM's flags are as near to each other."""

SHORTEST = 9
"""Letters of a name whose misspellings are taken for it; of a shorter one they may be other programs' flags."""


def meant_by(name: str, spellings: Mapping[str, str]) -> str | None:
    """Return the one argument that a name must be meant for, or None.

    Args:
        name: As it was written.
        spellings: Each name that there is, and the argument that it names.

    >>> meant_by("tesnor_parallel", {"tensor_parallel": "tensor_parallel_size", "max_model_len": "max_model_len"})
    'tensor_parallel_size'
    """
    letters = _letters(name)
    near = [other for other in spellings if len(other) >= SHORTEST and abs(len(name) - len(other)) <= FARTHEST]
    alike = [other for other in near if (letters ^ _known_letters(other)).bit_count() <= 2 * FARTHEST]
    likely = [other for other in alike if _may_be(name, other)]
    apart = {other: _distance(name, other) for other in likely}
    nearest = min(apart.values(), default=FARTHEST + 1)
    meant = {spellings[other] for other, letters in apart.items() if letters == nearest <= FARTHEST}
    return meant.pop() if len(meant) == 1 else None


def _letters(name: str) -> int:
    """Return which letters a name has, a bit each: one wrong letter takes one away and adds one."""
    return reduce(or_, (1 << (ord(letter) % 64) for letter in name), 0)


_known_letters = lru_cache(maxsize=512)(_letters)


def _may_be(name: str, other: str) -> bool:
    """Return whether so few letters differ that it is worth a closer look."""
    ours, theirs = Counter(name), Counter(other)
    return max((ours - theirs).total(), (theirs - ours).total()) <= FARTHEST


@lru_cache(maxsize=512)
def _distance(name: str, other: str) -> int:
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # for what nobody knows only

    return OSA.distance(name, other, score_cutoff=FARTHEST)
