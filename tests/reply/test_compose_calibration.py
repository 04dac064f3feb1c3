"""How well predictions met a folder of logs, in words."""

from __future__ import annotations

from bot.reply.compose_calibration import Run, answer_calibration, compose_calibration
from bot.reply.markdown import render
from bot.sizing.calibrate import Residual

GIB = 1 << 30


def residual(term: str = "weights", logged: float = 15) -> Residual:
    return Residual(term, 15 * GIB, 14 * GIB, 16 * GIB, round(logged * GIB))


def said(*runs: Run) -> str:
    return render(compose_calibration(runs))


def test_a_figure_outside_names_its_term():
    assert "too narrow for weights" in said(Run("a.log", [residual(logged=20)]))


def test_reasons_are_counted_over_all_logs():
    assert "2 logs left out: no model" in said(Run("a.log", because="no model"), Run("b.log", because="no model"))


def test_a_log_used_in_part_says_so():
    assert "1 log used in part: no GPU" in said(Run("a.log", [residual()], "no GPU"))


def test_programs_get_the_reason_of_each_log():
    runs = [Run("a.log", because="cannot be read", detail="gone"), Run("b.log", [residual()], "no GPU")]

    answer = answer_calibration(runs)
    assert ({"a.log": "cannot be read: gone"}, {"b.log": "no GPU"}) == (answer["left_out"], answer["in_part"])


def test_where_no_logs_are_that_is_said():
    document = compose_calibration([])

    assert document.summary.startswith("No logs are there")
