"""The largest number that still has room, found in few tries."""

from __future__ import annotations

from collections.abc import Callable

_AHEAD = 4  # times the width: two tries that need not halve it
_ASIDE = 256  # parts of the width, by one of which a try lies nearer to the middle


def largest(low: int, high: int, room: Callable[[int], float]) -> int:
    """Return the largest number up to `high` whose room is not negative, where no smaller one's is; 0 if `low`'s is.

    The next one tried lies where a straight line through both ends leaves no room, a little towards the middle, so that
    either end moves; and not so far out that it could take more than two tries beyond those that halving takes.
    """
    if low > high:
        return 0
    if (short := room(high)) >= 0:  # more often than not all of it does
        return high
    if (spare := room(low)) < 0:
        return 0
    widest = _AHEAD * (high - low)
    while high - low > 1:
        widest = -(-widest // 2)
        crossing = low + int((high - low) * spare / (spare - short))
        aside = max(1, (high - low) // _ASIDE)
        crossing += aside if 2 * crossing < low + high else -aside
        middle = min(max(crossing, low + 1, high - widest), high - 1, low + widest)
        if (found := room(middle)) >= 0:
            low, spare = middle, found
        else:
            high, short = middle, found
    return low
