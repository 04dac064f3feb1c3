"""Cells of a CSV without a heading: what each holds, told by its look."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from bot.reading.monitors.amounts import BOARD, BUS_ID, UUID, VERSION, mib, whole

UUID_CELL = re.compile(rf"(?:{UUID}|MIG-[\w/-]+)\Z")
BUS_CELL = re.compile(rf"{BUS_ID}\Z")
VERSION_CELL = re.compile(rf"{VERSION}\Z")
PLACEHOLDER = re.compile(
    r"\[.*\]\Z|\[[^\]]*\Z|N/A\Z|Not Supported\Z|Insufficient Permissions\Z|ERR!\Z|-?\Z", re.IGNORECASE
)
_STAMP = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?\Z")
_BOARD = re.compile(BOARD, re.VERBOSE)
_MEASURE = re.compile(r"\d[\d.]*\s?(?:%|W|C|MHz)\Z")
_WORD = re.compile(r"(?:P\d+|Default|Enabled|Disabled|Exclusive_Process|Prohibited|On|Off|WDDM|TCC)\Z")
_LEADERS = frozenset({"figure", "name", "uuid", "bus_id", "timestamp"})
_COLUMN_OF = {"version": "driver_version", "unknown": "", "word": "", "measure": "", "figure": "", "memory": ""}
_SMALLEST_MEMORY = 512
"""MiB from which a bare figure is taken for memory; loads, temperatures and watts of one card stay below."""


def _is_figure(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= 10


_LOOKS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("timestamp", _STAMP.match),
    ("uuid", UUID_CELL.match),
    ("bus_id", BUS_CELL.match),
    ("memory", lambda cell: mib(cell) is not None),  # pyright: ignore[reportUnknownLambdaType]
    ("figure", _is_figure),
    ("name", _BOARD.match),
    ("version", VERSION_CELL.match),
    ("unknown", PLACEHOLDER.match),
    ("measure", _MEASURE.match),
    ("word", _WORD.match),
)


def columns_of(cells: Sequence[str]) -> tuple[str, ...] | None:
    """Return the columns of a row without a heading, or None when it is no such row.

    A GPU's row begins with an index, a name, a UUID, a bus id or a timestamp: one whose beginning is cut counts for
    nothing. A process's row has a pid and, between it and the memory, a name that is no board's.
    """
    if len(cells) < 2:
        return None
    kinds = [next((kind for kind, look in _LOOKS if look(cell)), None) for cell in cells]
    as_process = _process_columns(kinds)
    if as_process or None in kinds or kinds[0] not in _LEADERS:
        return as_process
    return _gpu_columns(cells, [kind or "" for kind in kinds])


def _process_columns(kinds: Sequence[str | None]) -> tuple[str, ...] | None:
    lead = 0
    while lead < len(kinds) and kinds[lead] in (
        {"uuid", "bus_id", "timestamp", "name"} if lead else _LEADERS - {"figure", "name"}
    ):
        lead += 1
    rest = kinds[lead:]
    if len(rest) < 3 or rest[0] != "figure" or rest[-1] not in {"memory", "unknown", "figure"}:
        return None
    if all(kind is not None for kind in rest[1:-1]):
        return None
    return (*(kind or "" for kind in kinds[:lead]), "pid", "process_name", "used_memory")


def _gpu_columns(cells: Sequence[str], kinds: Sequence[str]) -> tuple[str, ...] | None:
    if (
        not {"name", "uuid", "bus_id", "memory"} & set(kinds)
        or sum(kind not in {"unknown", "word"} for kind in kinds) < 2
    ):
        return None
    columns = [_COLUMN_OF.get(kind, kind) for kind in kinds]
    if kinds[0] == "figure":
        columns[0] = "index"
    places = [place for place, kind in enumerate(kinds) if kind == "memory"]
    if not places:
        places = [p for p, kind in enumerate(kinds) if kind == "figure" and p and int(cells[p]) > _SMALLEST_MEMORY]
    for place, name in _tell_used_from_total(cells, places).items():
        columns[place] = name
    return tuple(columns)


def _tell_used_from_total(cells: Sequence[str], places: Sequence[int]) -> Mapping[int, str]:
    """Name memory columns: of two figures the smaller is used; one alone may be either."""
    if len(places) < 2:
        return {}
    figures = {place: mib(cells[place]) or whole(cells[place]) or 0 for place in places}
    total = max(figures, key=lambda place: figures[place])
    used = next(place for place in places if place != total)
    return {total: "memory.total", used: "memory.used"}
