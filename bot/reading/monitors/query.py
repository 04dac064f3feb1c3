"""CSV of `nvidia-smi --query-gpu` and `--query-compute-apps`, with or without heading and units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.reading.monitors.cells import PLACEHOLDER, columns_of
from bot.reading.monitors.output import Output, Row
from bot.reading.monitors.query_records import read_gpus, read_processes

_COMMAND = re.compile(r"--query-(?P<what>gpu|compute-apps|accounted-apps)[= ]\s*\"?(?P<columns>[a-z][\w.,]*)")
_COLUMN = re.compile(r"[A-Za-z][\w.]*(?:\s*\[[^\]]{1,12}\])?\Z")
_UNIT = re.compile(r"\s*\[[^\]]*\]")
_CANON = {
    "gpu_name": "name",
    "gpu_uuid": "uuid",
    "gpu_bus_id": "bus_id",
    "pci.bus_id": "bus_id",
    "used_gpu_memory": "used_memory",
}
_PROCESS_COLUMNS = frozenset({"pid", "process_name", "used_memory"})
_GPU_COLUMNS = frozenset(
    {
        "index", "name", "uuid", "bus_id", "driver_version", "count", "serial", "pstate", "timestamp", "compute_cap",
        "memory.total", "memory.used", "memory.free", "memory.reserved", "utilization.gpu", "utilization.memory",
        "temperature.gpu", "power.draw", "power.limit", "fan.speed", "mig.mode.current", "vbios_version",
    }
)  # fmt: skip
_FIGURES = ("memory.", "utilization.", "temperature.", "power.", "used_memory")


@dataclass
class Sheet:
    """A CSV as far as it was read; columns are None until they are told from the look of the cells."""

    line: int
    columns: tuple[str, ...] | None
    lists_processes: bool
    rows: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)

    def named(self) -> list[tuple[int, Mapping[str, str]]]:
        """Return the rows, each cell under the name of its column."""
        columns = self.columns if self.columns is not None else self._guess()
        return [(line, dict(zip(columns, _fold(columns, cells), strict=False))) for line, cells in self.rows]

    def _guess(self) -> tuple[str, ...]:
        """Return the columns of the row that shows most: a small figure does not look like memory, its neighbour may."""
        guesses = (columns_of(cells) or () for _, cells in self.rows)
        return max(guesses, key=lambda columns: sum(bool(name) for name in columns))


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the CSVs that stand in the rows, in order."""
    return tuple(output for output in map(_read_sheet, list(_sheets(rows))) if output is not None)


def _sheets(rows: Sequence[Row]) -> Iterator[Sheet]:
    announced: Sheet | None = None
    sheet: Sheet | None = None
    for row in rows:
        command = _COMMAND.search(row.text) if "--query-" in row.text else None
        if command:
            columns = tuple(_canonical(name) for name in command["columns"].split(",") if name)
            announced, sheet = Sheet(row.number, columns, command["what"] != "gpu"), None
            continue
        cells = _split(row.text)
        heading = _read_heading(cells)
        if heading:
            sheet = Sheet(row.number, heading, bool(_PROCESS_COLUMNS & set(heading)))
            yield sheet
        elif sheet is not None and _belongs(sheet, cells):
            sheet.rows.append((row.number, cells))
        elif row.text.strip():
            sheet = _open(announced, row, cells)
            if sheet is not None:
                yield sheet
        announced = None if sheet is not None else announced


def _split(text: str) -> tuple[str, ...]:
    """Return the cells of a row, whatever separates them: commas, semicolons, tabs, or the bars of a Markdown table."""
    text = text.strip()
    separator = next((mark for mark in (",", ";", "\t", "|") if mark in text), None)
    parts = text.strip("|").split(separator) if separator else [text]
    return tuple(part.strip().strip("\"'") for part in parts)


def _canonical(name: str) -> str:
    plain = _UNIT.sub("", name).strip().lower()
    return _CANON.get(plain, plain)


def _read_heading(cells: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the columns when a row is a heading: names that nvidia-smi knows, and no values."""
    if not all(_COLUMN.match(cell) for cell in cells):
        return None
    names = tuple(_canonical(cell) for cell in cells)
    known = sum(name in _GPU_COLUMNS or name in _PROCESS_COLUMNS for name in names)
    if len(names) == 1:
        is_plain = known and ("[" in cells[0] or "." in cells[0] or names[0] == "driver_version")
        return names if is_plain else None
    return names if known > 3 or known * 2 >= len(names) else None


def _belongs(sheet: Sheet, cells: tuple[str, ...]) -> bool:
    """Return whether a row fits the sheet: values where figures are wanted; only the last row may be cut short."""
    columns = sheet.columns
    if columns is None:
        return len(cells) == len(sheet.rows[-1][1]) and columns_of(cells) is not None
    if len(columns) > 1 and len(cells) < 2:
        return False
    cells = _fold(columns, cells)
    if len(cells) < len(columns):
        columns, cells = columns[: len(cells) - 1], cells[:-1]
    return all(_fits(name, cell) for name, cell in zip(columns, cells, strict=False))


def _fits(column: str, cell: str) -> bool:
    if PLACEHOLDER.match(cell):
        return True
    if column in {"index", "pid", "count"}:
        return cell.isascii() and cell.isdigit()
    if column.startswith(_FIGURES):
        return cell[:1].isdigit() or cell[:1] in {"O", "o", "l", "I", "-"}
    if column == "uuid":
        return cell[:3].upper() in {"GPU", "MIG"}
    return column != "driver_version" or cell[:1].isdigit()


def _open(announced: Sheet | None, row: Row, cells: tuple[str, ...]) -> Sheet | None:
    """Return a new sheet for a row without a heading: columns from the command line, else by the look of its cells."""
    if announced is not None and _belongs(announced, cells):
        return Sheet(row.number, announced.columns, announced.lists_processes, [(row.number, cells)])
    columns = columns_of(cells) if "," in row.text or ";" in row.text else None
    return None if columns is None else Sheet(row.number, None, "pid" in columns, [(row.number, cells)])


def _fold(columns: tuple[str, ...], cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return as many cells as columns: a process name with commas is put together again."""
    extra = len(cells) - len(columns)
    wide = "process_name" if "process_name" in columns else "name"
    if extra <= 0 or wide not in columns:
        return cells[: len(columns)]
    place = columns.index(wide)
    return (*cells[:place], ", ".join(cells[place : place + extra + 1]), *cells[place + extra + 1 :])


def _read_sheet(sheet: Sheet) -> Output | None:
    if sheet.lists_processes:
        return Output("nvidia-smi-query", sheet.line, processes=read_processes(sheet.named()))
    if not sheet.rows:
        return None
    gpus, driver = read_gpus(sheet.named())
    columns = sheet.columns
    tells_of_gpus = columns is None or bool(set(columns) - {"driver_version", "count", "timestamp"})
    return Output("nvidia-smi-query", sheet.line, gpus if tells_of_gpus else None, driver=driver)
