"""Rounding that keeps a sum: the rows of a budget add up as they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.units import Bytes

ROUNDING = 3
"""Hundredths of a GiB that the rounding of a few figures may leave over; more is unexplained."""


class Spent(NamedTuple):
    """One amount that is taken off the allowance, in hundredths of a GiB."""

    label: str
    hundredths: int
    note: str
    leeway: int = 0  # how far an estimate may be off; 0 for what a log printed
    is_quoted: bool = False  # sentences say it too, to the last digit


def hundredths(amount: Bytes) -> int:
    """Return an amount as hundredths of a GiB, which is what two decimals can say.

    >>> hundredths(Bytes.gib(4.126))
    413
    """
    return round(amount.in_gib * 100)


def settle(whole: int, spent: Sequence[Spent], left: int, *, is_set: bool = False) -> list[Spent]:
    """Return the rows, corrected so that `whole` − rows = `left` holds to the last digit.

    The difference goes to the vaguest estimate when it is only rounding; otherwise it is a row of its own, which is
    no riddle where `left` was set by hand (`is_set`).
    """
    rows = [row for row in spent if row.hundredths]
    gap = whole - sum(row.hundredths for row in rows) - left
    takes = [row for row in rows if row.leeway and row.hundredths > ROUNDING]
    vaguest = max(takes, key=lambda row: (not row.is_quoted, row.leeway), default=None)
    if not gap:
        return rows
    if vaguest and abs(gap) <= ROUNDING:
        return [row._replace(hundredths=row.hundredths + gap) if row is vaguest else row for row in rows]
    if abs(gap) <= ROUNDING:
        return [*rows, Spent("rounding", gap, "of the figures in the log")]
    if is_set:
        return [*rows, Spent("beyond the share" if gap < 0 else "left free", gap, "the KV cache is set by hand")]
    more = "the log leaves more than card and share give" if gap < 0 else "taken by something the log does not name"
    return [*rows, Spent("unexplained", gap, more)]


def show(amount: int) -> str:
    """Say hundredths of a GiB, with a minus sign as wide as the digits.

    >>> show(1499), show(-626), show(123456)
    ('14.99', '−6.26', '1,234.56')
    """
    return f"{'−' if amount < 0 else ''}{abs(amount) / 100:,.2f}"


def split(shares: Sequence[float], cells: int) -> list[int]:
    """Return how many of `cells` each share takes; together they fill what the shares fill.

    >>> split((0.68, 0.026, 0.19, 0.104), 40)
    [27, 1, 8, 4]
    """
    ends, filled = [0], 0.0
    for share in shares:
        filled += share
        ends.append(round(filled * cells))
    return [end - start for start, end in pairwise(ends)]
