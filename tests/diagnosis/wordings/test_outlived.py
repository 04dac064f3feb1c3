"""Warnings above the line that says the server has started."""

from __future__ import annotations

from bot.diagnosis.wordings.outlived import without_outlived
from bot.diagnosis.wordings.search import Hit
from bot.evidence import Line
from tests.diagnosis.conftest import LEFT_OVER

WARNED = Line(number=1, text="slow memory", level="WARNING")
FAILED = Line(number=1, text="no memory", level="ERROR")
STARTED = Line(number=2, text="INFO:     Application startup complete.")
LATER = Line(number=3, text="slow memory", level="WARNING")


def _hit(line: Line) -> Hit:
    return Hit(LEFT_OVER, LEFT_OVER.wordings[0], line)


def test_a_warning_that_a_start_outlived_is_left_out():
    assert without_outlived([_hit(WARNED)], [WARNED, STARTED]) == []


def test_an_error_a_later_warning_and_one_without_a_start_stay():
    assert without_outlived([_hit(FAILED)], [FAILED, STARTED]) == [_hit(FAILED)]
    assert without_outlived([_hit(LATER)], [WARNED, STARTED, LATER]) == [_hit(LATER)]
    assert without_outlived([_hit(WARNED)], [WARNED]) == [_hit(WARNED)]
