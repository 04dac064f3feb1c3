from __future__ import annotations

from bot.reply.charts.text import rows
from bot.reply.document import Series
from tests.reply.given_chart import a_chart


def test_the_longest_bar_has_the_whole_width() -> None:
    assert [2, 8] == [row.count("█") for row in rows(a_chart(1, 4), width=8)]


def test_a_second_series_stands_under_the_first() -> None:
    two = (Series(name="opened", values=(2,)), Series(name="resolved", values=(1,)))

    assert ["W40  opened    ████ 2", "     resolved  ██   1"] == rows(a_chart(2)._replace(series=two), 4)


def test_nothing_at_all_has_no_bar() -> None:
    assert ["W40       0"] == rows(a_chart(0), 4)
