from __future__ import annotations

from bot.reading.monitors.output import Row
from bot.reading.monitors.wraps import join_wrapped, split_flattened


def rows(*texts: str) -> list[Row]:
    return [Row(number, text) for number, text in enumerate(texts, start=1)]


def test_a_table_that_was_broken_at_a_width_is_joined():
    broken = rows("+-------------", "----+", "| GPU  Name   ", "  L4 |")

    assert ["+-----------------+", "| GPU  Name     L4 |"] == [row.text for row in join_wrapped(broken)]


def test_blanks_that_were_lost_at_the_break_are_put_back():
    broken = rows("+-------------", "----+", "| GPU  Name", "  L4 |")

    assert "| GPU  Name     L4 |" == join_wrapped(broken)[1].text


def test_a_joined_row_stands_on_its_first_line():
    assert [1, 3] == [row.number for row in join_wrapped(rows("+-------------", "----+", "| GPU  Name   ", "  L4 |"))]


def test_a_whole_table_stays_as_it_is():
    whole = rows("+----+", "| L4 |", "+----+")

    assert tuple(whole) == join_wrapped(whole)


def test_a_table_on_one_line_is_broken_where_its_rows_begin():
    gpu = "|   0  NVIDIA L4                      On  | 00000000:00:04.0 Off |                    0 | "
    used = "| N/A   45C    P8              16W /  72W |    120MiB / 23034MiB |      0%      Default | "
    (first, *others) = split_flattened(rows(gpu + used + gpu + used))

    assert "00000000:00:04.0" in first.text
    assert 3 == len(others)


def test_a_short_line_is_never_broken():
    assert rows("| 0 NVIDIA L4 |") == list(split_flattened(rows("| 0 NVIDIA L4 |")))
