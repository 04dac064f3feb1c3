from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.units import Bytes


def test_bytes_divided_by_bytes_is_a_count():
    assert 2114 == Bytes.gib(4.13) // Bytes(2_097_152)


def test_arithmetic_stays_bytes():
    assert isinstance(Bytes.gib(1) + Bytes.mib(1) - 5, Bytes)
    assert isinstance(Bytes.gib(1) * 0.9, Bytes)
    assert isinstance(sum([Bytes(1), Bytes(2)], Bytes(0)), Bytes)


def test_gib_text_is_read():
    assert Bytes.gib(16) == Bytes.parse("16.00 GiB")
    assert Bytes.mib(448) == Bytes.parse("448 MiB")


def test_gb_text_is_refused_unless_its_meaning_is_given():
    with pytest.raises(ValueError, match=r"may mean 10\^9 or 2\^30 bytes"):
        Bytes.parse("80 GB")


def test_gb_means_what_the_reader_says():
    assert Bytes(80 * 10**9) == Bytes.parse("80 GB", decimal_prefix="decimal")
    assert Bytes.gib(80) == Bytes.parse("80 GB", decimal_prefix="binary")


@pytest.mark.parametrize("text", ["", "GiB", "16901...", "1 2 GiB", "1e9 GiB", "nan GiB"])
def test_what_is_no_amount_is_refused(text: str):
    with pytest.raises(ValueError, match="no amount of memory"):
        Bytes.parse(text)


def test_an_amount_prints_in_the_unit_people_compare():
    assert "22.03 GiB" == str(Bytes.gib(22.03))
    assert "96.0 MiB" == str(Bytes.mib(96))


@given(st.integers(min_value=0, max_value=2**50))
def test_bytes_read_back_what_they_print_within_rounding(count: int):
    printed = str(Bytes(count)).replace(",", "")

    assert abs(Bytes.parse(printed) - count) <= max(2**30 * 0.005, 2**20 * 0.05) + 1


def test_a_difference_keeps_its_unit():
    assert "1.50 GiB" == str(abs(Bytes.gib(1) - Bytes.gib(2.5)))
