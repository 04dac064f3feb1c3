"""Amounts with ranges."""

import pytest

from bot.sizing.constants import Guess
from bot.sizing.ranges import Estimate, around, exact, remainder, together


def test_known_amounts_leave_a_known_rest():
    assert (70, 70, 70) == remainder(100, [exact(20), exact(10)])


def test_a_share_of_an_amount_is_its_range():
    assert around(200, Guess(1.0, 0.8, 1.25, "")) == Estimate(200, 160, 250)


def test_independent_errors_add_up_in_quadrature():
    assert (70, 65, 75) == remainder(100, [Estimate(20, 17, 23), Estimate(10, 6, 14)])


def test_a_doubtful_total_widens_both_ends():
    assert (90, 85, 97) == remainder(100, [exact(10)], (5, 7))


def test_a_term_that_may_be_larger_lowers_the_low_end_only():
    assert (80, 50, 80) == remainder(100, [Estimate(20, 20, 50)])


def test_shares_of_a_product_widen_each_other_less_than_both_at_once():
    low, high = together([Guess(1.0, 0.5, 2.0, ""), Guess(3.0, 1.5, 6.0, "")])

    assert (0.375, 2.666) == pytest.approx((low, high), abs=0.001)
