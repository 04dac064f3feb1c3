"""CSV of `nvidia-smi --query-gpu` and `--query-compute-apps`, with or without heading and units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.reading.monitors.cells import PLACEHOLDER, columns_of
from bot.reading.monitors.output import Output, Row
from bot.reading.monitors.query_records import read_gpus, read_processes

_COMMAND = re.compile(r"--query-(?P<what>gpu|compute-apps|accounted-apps)[= ]\s*\"?(?P<columns>[a-z][\w.,]*)")
_COLUMN = re.compile(r"[A-Za-z][\w.]*(?:\s*\[[^\]]{0,12}\]?)?\Z")  # the unit may be cut
LONGEST_HEADING = 600
"""Characters up to which a heading may go on in the next line; a question of twenty fields has about 400."""

_REST_OF_HEADING = re.compile(r"[\w.,\s\[\]%]{1,400}\Z")
_REST_OF_AMOUNT = re.compile(r"\s?(?:\d{1,6}\s?)?(?:MiB|iB|B|%|W)\s*\Z")
_UNIT = re.compile(r"\s*\[[^\]]*\]?")
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


@dataclass
class Scan:
    """The sheets found so far, the one that is open, and what a command line announced."""

    sheets: list[Sheet] = field(default_factory=list[Sheet])
    sheet: Sheet | None = None
    announced: Sheet | None = None
    heading: str = ""  # while a heading may go on in the next line
    part: Row | None = None  # a row that was broken, as far as it was read

    def take(self, row: Row) -> None:
        """Read one line."""
        command = _COMMAND.search(row.text) if "--query-" in row.text else None
        if command:
            self.flush()
            columns = tuple(_canonical(name) for name in command["columns"].split(",") if name)
            self.announced, self.sheet = Sheet(row.number, columns, command["what"] != "gpu"), None
        elif row.text.strip() and not (self._take_heading(row) or self._take_record(row)):
            self.flush()
            self.sheet = _open(self.announced, row, _split(row.text))
            if self.sheet is not None:
                self.sheets.append(self.sheet)
                self.announced = None

    def flush(self) -> None:
        """Keep a row that was cut for good, when its beginning fits."""
        if self.part is not None and self.sheet is not None:
            self.sheet.rows.append((self.part.number, _split(self.part.text)))
        self.part = None

    def _take_heading(self, row: Row) -> bool:
        """Take a heading, or the rest of one whose line was broken."""
        goes_on = 0 < len(self.heading) <= LONGEST_HEADING and _REST_OF_HEADING.match(row.text)
        text = self.heading + row.text if goes_on else row.text
        columns = _read_heading(_split(text))
        self.heading = text if columns else ""
        if columns is None:
            return False
        self.flush()
        if goes_on:
            self.sheets.pop()
        self.announced = None
        self.sheet = Sheet(row.number, columns, bool(_PROCESS_COLUMNS & set(columns)))
        self.sheets.append(self.sheet)
        return True

    def _take_record(self, row: Row) -> bool:
        """Take a row of the open sheet, or a part of one."""
        sheet = self.sheet
        if sheet is None:
            return False
        if self._take_rest_of_amount(sheet, row):
            return True
        part = Row(self.part.number, self.part.text + row.text) if self.part else row
        cells = _split(part.text)
        if not _belongs(sheet, cells):
            return self.part is not None and self._begin_again(row)
        is_short = sheet.columns is not None and len(cells) < len(sheet.columns)
        self.part = part if is_short else None
        if not is_short:
            sheet.rows.append((part.number, cells))
        return True

    def _take_rest_of_amount(self, sheet: Sheet, row: Row) -> bool:
        """Take the end of the last cell, when the line was broken within it."""
        has_row = sheet.rows and self.part is None and sheet.columns is not None and len(sheet.columns) > 1
        if not has_row or not _REST_OF_AMOUNT.match(row.text):
            return False
        line, cells = sheet.rows[-1]
        sheet.rows[-1] = (line, (*cells[:-1], cells[-1] + row.text.rstrip()))
        return True

    def _begin_again(self, row: Row) -> bool:
        self.flush()
        return self._take_record(row)


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the CSVs that stand in the rows, in order."""
    scan = Scan()
    for row in rows:
        scan.take(row)
    scan.flush()
    return tuple(output for output in map(_read_sheet, scan.sheets) if output is not None)


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
        return cell.isascii() and cell.isdigit() and len(cell) <= (3 if column == "index" else 10)
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
