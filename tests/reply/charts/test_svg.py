from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from bot.reply.charts.svg import figure
from tests.reply.given_chart import a_chart


def test_a_bar_is_drawn_for_every_value() -> None:
    assert 3 == figure(a_chart(3, 1, 4)).count("<rect")


def test_a_line_has_a_point_for_every_value() -> None:
    assert 3 == figure(a_chart(3, 1, 4, kind="lines")).count("<circle")


def test_every_figure_is_said_to_those_who_do_not_see() -> None:
    assert "Incidents by week. opened: W40 3, W41 1, W42 4" in figure(a_chart(3, 1, 4))


@pytest.mark.parametrize("values", [(0.0, 0.0), (5.0,)])
def test_charts_of_nothing_and_of_one_point_are_drawn(values: tuple[float, ...]) -> None:
    assert "nan" not in figure(a_chart(*values, kind="lines"))


def test_titles_and_labels_are_escaped() -> None:
    drawn = figure(a_chart(1, labels=("<b>&",), title="<script>"))

    fromstring(drawn)  # raises where it is no XML
    assert "<script>" not in drawn
