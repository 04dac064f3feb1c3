from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.reply.adding_up import Spent, settle, show, split

ROWS = st.lists(
    st.builds(Spent, st.just("term"), st.integers(0, 20_000), st.just("estimated"), st.integers(0, 300) | st.just(0)),
    max_size=6,
)


@given(st.integers(0, 20_000), ROWS, st.integers(-20_000, 20_000))
def test_rows_add_up_whatever_was_measured(whole: int, spent: list[Spent], left: int):
    assert left == whole - sum(row.hundredths for row in settle(whole, spent, left))


def test_rounding_goes_to_the_vaguest_estimate():
    rows = settle(1975, [Spent("weights", 1499, "measured"), Spent("other", 62, "estimated", 20)], 413)

    assert [1499, 63] == [row.hundredths for row in rows]


def test_rounding_spares_what_sentences_quote():
    spent = [Spent("weights", 1499, "about", 90, is_quoted=True), Spent("other", 62, "estimated", 20)]

    assert [1499, 63] == [row.hundredths for row in settle(1975, spent, 413)]


def test_measured_figures_are_never_touched():
    rows = settle(1983, [Spent("weights", 1499, "measured"), Spent("activations", 55, "measured")], 428)

    assert [("weights", 1499), ("activations", 55), ("rounding", 1)] == [(row.label, row.hundredths) for row in rows]


def test_what_no_rounding_explains_is_said():
    (_, unexplained) = settle(1975, [Spent("weights", 1499, "measured")], 413)

    assert ("unexplained", 63) == unexplained[:2]


def test_terms_of_nothing_are_left_out():
    assert [] == settle(100, [Spent("images", 0, "computed")], 100)


def test_a_minus_sign_is_as_wide_as_a_digit():
    assert "−6.26" == show(-626)


@given(st.lists(st.floats(0, 0.2), max_size=6))
def test_stripes_fill_the_bar_as_far_as_their_shares_do(shares: list[float]):
    assert round(sum(shares) * 40) == sum(split(shares, 40))


def test_what_a_cache_set_by_hand_leaves_or_takes_beyond_is_no_riddle():
    spent = [Spent("weights", 1499, "measured")]
    labels = [settle(1975, spent, left, is_set=True)[-1].label for left in (300, 600)]

    assert ["left free", "beyond the share"] == labels
