"""CSV of `nvidia-smi --query-gpu` and `--query-compute-apps`, with or without heading and units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import BOARD, BUS_ID, UUID, VERSION, bus_id, leading_number, leading_whole, mib, whole
from bot.reading.monitors.output import Listed, Output, Row

_COMMAND = re.compile(r"--query-(?P<what>gpu|compute-apps|accounted-apps)[= ]\s*\"?(?P<columns>[a-z][\w.,]*)")
_COLUMN = re.compile(r"[A-Za-z][\w.]*(?:\s*\[[^\]]{1,12}\])?\Z")
_UNIT = re.compile(r"\s*\[[^\]]*\]")
_BUS = re.compile(rf"{BUS_ID}\Z")
_UUID = re.compile(rf"(?:{UUID}|MIG-[\w/-]+)\Z")
_STAMP = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?\Z")
_VERSION = re.compile(rf"{VERSION}\Z")
_BOARD = re.compile(BOARD, re.VERBOSE)
_CANON = {
    "gpu_name": "name",
    "gpu_uuid": "uuid",
    "gpu_bus_id": "bus_id",
    "pci.bus_id": "bus_id",
    "used_gpu_memory": "used_memory",
    "process_memory": "used_memory",
    "process name": "process_name",
}
_PROCESS_COLUMNS = frozenset({"pid", "process_name", "used_memory"})
_GPU_COLUMNS = frozenset(
    ["index", "name", "uuid", "bus_id", "memory.total", "memory.used", "memory.free", "memory.reserved", "utilization.gpu", "utilization.memory", "temperature.gpu", "power.draw", "driver_version", "count", "serial", "pstate", "timestamp", "mig.mode.current", "compute_cap", "fan.speed"]
)


@dataclass
class Sheet:
    """A CSV as far as it was read: its columns, and its rows by what names a GPU or a process."""

    line: int
    columns: tuple[str, ...] | None
    lists_processes: bool
    has_heading: bool
    rows: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the CSVs that stand in the rows, in order."""
    sheets: list[Sheet] = []
    announced: Sheet | None = None
    sheet: Sheet | None = None
    for row in rows:
        command = _COMMAND.search(row.text)
        if command:
            columns = tuple(_canonical(name) for name in command["columns"].split(",") if name)
            announced, sheet = Sheet(row.number, columns, command["what"] != "gpu", has_heading=False), None
            continue
        cells = _split(row.text)
        heading = _read_heading(cells)
        if heading:
            sheet = Sheet(row.number, heading, bool(_PROCESS_COLUMNS & set(heading)), has_heading=True)
            announced = None
            sheets.append(sheet)
        elif sheet is not None and _belongs(sheet, cells):
            sheet.rows.append((row.number, cells))
        elif row.text.strip():
            sheet = _open(announced, row, cells)
            if sheet is not None:
                sheets.append(sheet)
                announced = None
    return tuple(output for output in map(_read_sheet, sheets) if output is not None)


def _split(text: str) -> tuple[str, ...]:
    """Return the cells of a row, whatever separates them: commas, semicolons, tabs, or the bars of a Markdown table."""
    text = text.strip()
    for separator in (",", ";", "\t", "|"):
        if separator in text:
            cells = text.strip("|").split(separator) if separator == "|" else text.split(separator)
            return tuple(cell.strip().strip("\"'") for cell in cells)
    return (text,)


def _canonical(name: str) -> str:
    plain = _UNIT.sub("", name).strip().lower()
    return _CANON.get(plain, plain)


def _read_heading(cells: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the columns when a row is a heading: names that nvidia-smi knows, and no values."""
    if not all(_COLUMN.match(cell) for cell in cells if cell) or not any(cells):
        return None
    names = tuple(_canonical(cell) for cell in cells)
    known = sum(name in _GPU_COLUMNS or name in _PROCESS_COLUMNS for name in names)
    is_alone = len(names) == 1 and ("[" in cells[0] or "." in cells[0] or names[0] == "driver_version")
    return names if known * 2 >= len(names) > 1 or (known > 3) or (known and is_alone) else None


def _belongs(sheet: Sheet, cells: tuple[str, ...]) -> bool:
    """Return whether a row fits the sheet: enough cells, and values where figures are wanted."""
    columns = sheet.columns
    if columns is None:
        return _kinds_of(cells) is not None and len(cells) == len(sheet.rows[-1][1])
    if len(columns) == 1:
        return len(cells) == 1 and _fits(columns[0], cells[0])
    is_cut = len(cells) < len(columns)
    if len(cells) < 2 or (is_cut and not _begins_alike(columns, cells)):
        return False
    if len(cells) > len(columns) and "process_name" not in columns and "name" not in columns:
        cells = cells[: len(columns)]
    return all(_fits(name, cell) for name, cell in zip(columns, _fold(columns, cells), strict=False))


def _begins_alike(columns: tuple[str, ...], cells: tuple[str, ...]) -> bool:
    return all(_fits(name, cell) for name, cell in zip(columns[:-1], cells[:-1], strict=False))


_PLACEHOLDER = re.compile(
    r"\[.*\]\Z|N/A\Z|Not Supported\Z|Insufficient Permissions\Z|ERR!\Z|-?\Z|\[.*\Z", re.IGNORECASE
)


def _fits(column: str, cell: str) -> bool:
    if _PLACEHOLDER.match(cell):
        return True
    if column in {"index", "pid", "count"}:
        return cell.isdigit()
    if column.startswith(("memory.", "utilization.", "temperature.", "power.")) or column == "used_memory":
        return cell[:1].isdigit() or cell[:1] in "OolI-"
    if column == "uuid":
        return cell[:3].upper() in {"GPU", "MIG"}
    if column == "driver_version":
        return cell[:1].isdigit()
    return True


def _open(announced: Sheet | None, row: Row, cells: tuple[str, ...]) -> Sheet | None:
    """Return a new sheet for a row without a heading: columns from the command line, else by the kind of its values."""
    if announced is not None and announced.columns and _belongs(announced, cells):
        return Sheet(row.number, announced.columns, announced.lists_processes, False, [(row.number, cells)])
    kinds = _kinds_of(cells)
    if kinds is None:
        return None
    return Sheet(row.number, None, "pid" in kinds, False, [(row.number, cells)])


def _fold(columns: tuple[str, ...], cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return as many cells as columns: a process name with commas is put together again."""
    extra = len(cells) - len(columns)
    if extra <= 0:
        return cells
    wide = "process_name" if "process_name" in columns else "name"
    if wide not in columns:
        return cells[: len(columns)]
    place = columns.index(wide)
    return (*cells[:place], ", ".join(cells[place : place + extra + 1]), *cells[place + extra + 1 :])


def _kind_of(cell: str) -> str | None:
    """Return what a cell holds, by its look."""
    looks = (
        ("stamp", _STAMP.match),
        ("uuid", _UUID.match),
        ("bus_id", _BUS.match),
        ("memory", mib),
        ("figure", lambda text: text.isdigit() and len(text) <= 9),
        ("name", _BOARD.match),
        ("version", _VERSION.match),
        ("unknown", _PLACEHOLDER.match),
        ("measure", re.compile(r"\d[\d.]*\s?(?:%|W|C|MHz)\Z").match),
        ("word", re.compile(r"(?:P\d+|Default|Enabled|Disabled|Exclusive_Process|Prohibited|On|Off|WDDM|TCC)\Z").match),
    )
    for kind, look in looks:
        found = look(cell)
        if found or (kind == "memory" and found == 0):
            return kind
    return None


def _kinds_of(cells: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the columns of a row without a heading, or None when it is no such row.

    A GPU row begins with an index, a name, a UUID, a bus id or a timestamp: one whose beginning is cut counts for
    nothing. A process row has a pid and, between it and the memory, a name that is no board's.
    """
    if len(cells) < 2:
        return None
    kinds = [_kind_of(cell) for cell in cells]
    as_process = _process_columns(kinds)
    if as_process:
        return as_process
    if None in kinds or kinds[0] not in {"figure", "name", "uuid", "bus_id", "stamp"}:
        return None
    return _gpu_columns(cells, [kind or "" for kind in kinds])


def _process_columns(kinds: Sequence[str | None]) -> tuple[str, ...] | None:
    lead = 0
    columns: list[str] = []
    while lead < len(kinds) and kinds[lead] in {"uuid", "bus_id", "stamp"} | ({"name"} if lead else set()):
        columns.append({"stamp": "timestamp"}.get(kinds[lead] or "", kinds[lead] or ""))
        lead += 1
    rest = kinds[lead:]
    if len(rest) < 3 or rest[0] != "figure" or rest[-1] not in {"memory", "unknown", "figure"}:
        return None
    if not any(kind is None for kind in rest[1:-1]):
        return None
    return (*columns, "pid", "process_name", "used_memory")


def _gpu_columns(cells: tuple[str, ...], kinds: Sequence[str]) -> tuple[str, ...] | None:
    if not {"name", "uuid", "bus_id"} & set(kinds) and "memory" not in kinds:
        return None
    columns = [
        {"stamp": "timestamp", "version": "driver_version", "unknown": "", "word": "", "measure": ""}.get(kind, kind)
        for kind in kinds
    ]
    if kinds[0] == "figure":
        columns[0] = "index"
    amounts = [place for place, kind in enumerate(kinds) if kind == "memory"]
    if not amounts:
        amounts = [p for p, kind in enumerate(columns) if kind == "figure" and int(cells[p]) > 512]
    figures = {place: whole(cells[place].split("M")[0].strip()) or 0 for place in amounts}
    for place, name in _name_amounts(figures).items():
        columns[place] = name
    return tuple("" if name in {"figure", "memory"} else name for name in columns)


def _name_amounts(figures: Mapping[int, int]) -> Mapping[int, str]:
    """Tell used from total: of two figures the smaller is used; one alone may be either."""
    if len(figures) < 2:
        return {}
    total = max(figures, key=lambda place: figures[place])
    others = [place for place in figures if place != total]
    return {total: "memory.total", others[0]: "memory.used"}


def _read_sheet(sheet: Sheet) -> Output | None:
    sheet.rows = _newest(sheet)
    if sheet.lists_processes:
        processes = tuple(_read_process(_name_cells(sheet, cells), line) for line, cells in sheet.rows)
        processes = tuple(listed for listed in processes if listed.reading.pid is not None)
        return Output("nvidia-smi-query", sheet.line, processes=_once(processes))
    if not sheet.rows:
        return None
    gpus: dict[int, GpuReading] = {}
    drivers: set[str] = set()
    for line, cells in sheet.rows:
        named = _name_cells(sheet, cells)
        gpu = _read_gpu(named, len(gpus), line, is_last=False)
        gpus[gpu.index] = gpu
        version = _VERSION.match(named.get("driver_version", ""))
        drivers |= {version[0]} if version else set()
    if not _tells_of_gpus(sheet):
        return Output("nvidia-smi-query", sheet.line, driver=next(iter(drivers), None))
    return Output(
        "nvidia-smi-query", sheet.line, tuple(gpus.values()), driver=drivers.pop() if len(drivers) == 1 else None
    )


def _tells_of_gpus(sheet: Sheet) -> bool:
    return sheet.columns is None or bool(set(sheet.columns) - {"driver_version", "count", "timestamp"})


def _name_cells(sheet: Sheet, cells: tuple[str, ...]) -> Mapping[str, str]:
    columns = sheet.columns if sheet.columns is not None else _kinds_of(cells) or ()
    return dict(zip(columns, _fold(columns, cells), strict=False))


def _newest(sheet: Sheet) -> list[tuple[int, tuple[str, ...]]]:
    """Return the rows of the newest sample of a loop; rows of one sample share their second or differ in their card."""
    columns = sheet.columns or ()
    if "index" in columns or "uuid" in columns or "bus_id" in columns or "pid" in columns or "timestamp" not in columns:
        return _latest_by_key(sheet)
    stamp = columns.index("timestamp")
    last = sheet.rows[-1][1][stamp][:19] if sheet.rows else ""
    return [row for row in sheet.rows if row[1][stamp][:19] == last]


def _latest_by_key(sheet: Sheet) -> list[tuple[int, tuple[str, ...]]]:
    kept: dict[object, tuple[int, tuple[str, ...]]] = {}
    for place, (line, cells) in enumerate(sheet.rows):
        named = _name_cells(sheet, cells)
        if sheet.lists_processes:
            key: object = (named.get("uuid") or named.get("bus_id"), named.get("pid"))
        else:
            key = named.get("index") or named.get("uuid") or named.get("bus_id") or place
        kept[key] = (line, cells)
    return list(kept.values())


def _once(processes: Iterable[Listed]) -> tuple[Listed, ...]:
    kept = {(listed.uuid, listed.bus_id, listed.reading.pid): listed for listed in processes}
    return tuple(kept.values())


def _amount(text: str | None) -> int | None:
    """Return a memory cell in MiB; the unit may stand in the heading only."""
    if text is None:
        return None
    return mib(text) if re.search(r"[A-Za-z]", text.strip("OolI")) else whole(text)


def _read_gpu(named: Mapping[str, str], position: int, line: int, *, is_last: bool) -> GpuReading:
    index = leading_whole(named.get("index"))
    name = named.get("name")
    bus = named.get("bus_id", "")
    uuid = named.get("uuid", "")
    mode = named.get("mig.mode.current")
    return GpuReading(
        index=position if index is None else index,
        name=None if name is None or _PLACEHOLDER.match(name) else name,
        uuid=uuid if _UUID.match(uuid) else None,
        bus_id=bus_id(bus) if _BUS.match(bus) else None,
        memory_used_mib=_amount(named.get("memory.used")),
        memory_total_mib=_amount(named.get("memory.total")),
        memory_free_mib=_amount(named.get("memory.free")),
        memory_reserved_mib=_amount(named.get("memory.reserved")),
        utilization_pct=leading_whole(named.get("utilization.gpu")),
        temperature_c=leading_whole(named.get("temperature.gpu")),
        power_w=leading_number(named.get("power.draw")),
        mig_mode=mode if mode in {"Enabled", "Disabled"} else None,
        line=line,
    )


def _read_process(named: Mapping[str, str], line: int) -> Listed:
    pid = named.get("pid", "")
    name = named.get("process_name")
    uuid, bus = named.get("uuid", ""), named.get("bus_id", "")
    reading = ProcessReading(
        pid=int(pid) if pid.isdigit() and len(pid) <= 10 else None,
        name=name or None,
        memory_mib=_amount(named.get("used_memory")),
        line=line,
    )
    return Listed(reading, uuid if _UUID.match(uuid) else None, bus_id(bus) if _BUS.match(bus) else None)
