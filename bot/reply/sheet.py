"""Incidents as rows for other programs: CSV that no spreadsheet runs, and JSON Lines."""

from __future__ import annotations

import csv as csv_format
import json
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from bot.incident import Incident

_PLACE = ("workspace", "channel", "root")
COLUMNS = (*_PLACE, *(name for name in Incident.model_fields if name != "thread"))
_FORMULA = frozenset("=+-@\t\r\n＝＋－＠")  # what a spreadsheet would run, were it typed in; wide signs in CJK editions
# What a person wrote or who they are; a private channel's rows go elsewhere without it.
_OWN_WORDS = ("channel", "root", "opener", "resolver", "model", "error", "pasted", "fixed")


def row(incident: Incident, *, may_tell: bool = True) -> dict[str, Any]:
    """Return an incident as plain values by column; without `may_tell` nothing in it names people or their words."""
    told = incident.model_dump(mode="json")
    told = {**told.pop("thread"), **told}
    hidden = () if may_tell else _OWN_WORDS
    return {name: None if name in hidden else told[name] for name in COLUMNS}


def json_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield a JSON object a row."""
    for each in rows:
        yield json.dumps(each, ensure_ascii=False) + "\n"


def csv(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield CSV with a line of headers; nested values are JSON."""
    written = StringIO()
    writer = csv_format.writer(written, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in rows:
        writer.writerow([_cell(each[name]) for name in COLUMNS])
        yield written.getvalue()
        written.seek(0)
        written.truncate()
    yield written.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value[:1] in _FORMULA else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
