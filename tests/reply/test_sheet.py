from __future__ import annotations

import csv as csv_format
import json
from datetime import UTC, datetime

import pytest

from bot.case import Thread
from bot.incident import Incident
from bot.reply.sheet import COLUMNS, csv, json_lines, row


def an_incident(**fields: object) -> Incident:
    values = {"thread": Thread(workspace="T1", channel="C1", root="1"), "opened_at": datetime(2026, 11, 23, tzinfo=UTC)}
    return Incident.model_validate({**values, **fields})


def read(*incidents: Incident) -> list[dict[str, str]]:
    return list(csv_format.DictReader("".join(csv(map(row, incidents))).splitlines()))


def test_a_sheet_has_a_column_a_fact() -> None:
    (told,) = read(an_incident(model="m", patch={"max_model_len": 4096}))

    assert list(COLUMNS) == list(told)
    assert ("m", {"max_model_len": 4096}) == (told["model"], json.loads(told["patch"]))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "＝1+1"])
def test_no_cell_is_a_formula(text: str) -> None:
    (told,) = read(an_incident(model=text))

    assert f"'{text}" == told["model"]


def test_commas_quotes_and_line_breaks_stay_in_their_cell() -> None:
    (told,) = read(an_incident(error='a, "b"'))

    assert 'a, "b"' == told["error"]


def test_a_line_of_json_reads_back() -> None:
    (line,) = json_lines([row(an_incident(model="ü"))])

    assert "ü" == json.loads(line)["model"]


def test_what_may_not_be_told_is_left_empty() -> None:
    told = row(an_incident(model="m", opener="U1", error="e", problem="p", pasted={"model": "m"}), may_tell=False)

    assert ("p", None, None, None, None) == (
        told["problem"],
        *(told[n] for n in ("model", "opener", "error", "pasted")),
    )
