"""An amount and the range that its real value lies in, nine times out of ten."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from bot.sizing.constants import Guess

GIB = 1 << 30


class Estimate(NamedTuple):
    """An amount in bytes with its range, and how it came about."""

    amount: int
    low: int
    high: int
    formula: str = ""
    because: str = ""
    source: str = ""
    doubt: str = ""  # why the range is wider than usual, and what would settle it


def exact(amount: int) -> Estimate:
    """Return an amount that is known."""
    return Estimate(amount, amount, amount)


def around(amount: float, guess: Guess) -> Estimate:
    """Return an amount with the range that a relative guess leaves it."""
    return Estimate(round(amount), round(amount * guess.low), round(amount * guess.high))


def remainder(pool: int, spent: list[Estimate], slack: tuple[int, int] = (0, 0)) -> tuple[int, int, int]:
    """Return what `spent` leaves of `pool`, as (amount, low, high) in bytes; the pool may be `slack` smaller and larger.

    The terms err independently of one another, so their distances add up in quadrature.
    """
    amount = pool - sum(term.amount for term in spent)
    above = sqrt(slack[0] ** 2 + sum((term.high - term.amount) ** 2 for term in spent))
    below = sqrt(slack[1] ** 2 + sum((term.amount - term.low) ** 2 for term in spent))
    return amount, round(amount - above), round(amount + below)


def together(shares: Sequence[Guess]) -> tuple[float, float]:
    """Return the low and high share of a product of shares that err independently of one another."""
    below = sqrt(sum(log(share.low / share.value) ** 2 for share in shares))
    above = sqrt(sum(log(share.high / share.value) ** 2 for share in shares))
    return exp(-below), exp(above)
