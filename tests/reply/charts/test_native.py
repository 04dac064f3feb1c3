from __future__ import annotations

import pytest

from bot.reply.charts.native import block
from bot.workspace.limits import complaints as limits
from tests.reply.given_chart import a_chart


def complaints(*charts: object) -> list[str]:
    return limits([block(chart) for chart in charts], "message")  # type: ignore[arg-type]


def test_a_chart_holds_every_figure() -> None:
    drawn = block(a_chart(3, 1, 4))["chart"]

    assert [3, 1, 4] == [point["value"] for point in drawn["series"][0]["data"]]
    assert ["W40", "W41", "W42"] == drawn["axis_config"]["categories"]


@pytest.mark.parametrize(("kind", "name"), [("bars", "bar"), ("lines", "line")])
def test_each_kind_is_drawn_as_slack_calls_it(kind: str, name: str) -> None:
    assert name == block(a_chart(kind=kind))["chart"]["type"]


def test_the_newest_points_are_kept_where_there_are_too_many() -> None:
    drawn = block(a_chart(*range(30)))["chart"]

    assert (20, 29) == (len(drawn["series"][0]["data"]), drawn["series"][0]["data"][-1]["value"])


def test_labels_that_begin_alike_stay_apart() -> None:
    labels = tuple(f"meta-llama/Llama-3.1-{size}B-Instruct" for size in (8, 70, 405))

    assert 3 == len(set(block(a_chart(1, 2, 3, labels=labels))["chart"]["axis_config"]["categories"]))


def test_slack_takes_a_chart_of_any_size() -> None:
    wild = a_chart(*range(30), labels=tuple("x" * n for n in range(30)), title="t" * 200, unit="u" * 99)

    assert [] == complaints(wild, a_chart())
