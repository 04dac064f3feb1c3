"""Rows that meet a fault of ours; what is no row at all is tried with each command."""

from __future__ import annotations

import json

import pytest

from bot.cli.json_lines import answer_lines


def answer(row: dict[str, int]) -> dict[str, float]:
    return {"share": 1 / row["of"]}


def test_a_fault_of_ours_costs_one_row_its_answer_and_is_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.dumps({"id": of, "of": of}) for of in (1, 0, 2)]
    with pytest.raises(ZeroDivisionError):
        answer_lines(rows, answer, needs_text=False)

    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [
        {"id": 1, "share": 1.0},
        {"id": 0, "error": "line 2 met a fault of ours: ZeroDivisionError"},
        {"id": 2, "share": 0.5},
    ] == said


def test_a_folder_that_is_gone_is_told_at_once() -> None:
    def gone(_: object) -> dict[str, str]:
        raise FileNotFoundError

    with pytest.raises(FileNotFoundError):
        answer_lines(['{"id": 1}'] * 2, gone, needs_text=False)
