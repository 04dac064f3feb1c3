"""`nvidia-smi pmon` and `dmon`: columns under two heading lines, one sample after another; the newest counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import leading_number, leading_whole
from bot.reading.monitors.output import Listed, Output, Row

_HEADING = re.compile(r"\s*#?\s*(?:Date\s+Time\s+|Time\s+)?gpu\s+(?=\w+\s)", re.IGNORECASE)
_CELL = re.compile(r"-|\d[\d.]*|N/A|\[N/A\]|\d{8}|\d\d:\d\d:\d\d|[CGM+]+\Z")


@dataclass
class _Monitor:
    line: int
    columns: tuple[str, ...]
    records: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the monitors that stand in the rows, in order; headings that repeat are one monitor's."""
    monitors: list[_Monitor] = []
    is_open = False
    for row in rows:
        columns = _read_heading(row.text)
        if columns:
            is_open = True
            if not monitors or monitors[-1].columns != columns:
                monitors.append(_Monitor(row.number, columns))
        elif is_open and row.text.strip():
            cells = _read_cells(monitors[-1].columns, row.text)
            if cells:
                monitors[-1].records.append((row.number, cells))
            is_open = cells is not None or "Idx" in row.text
    return tuple(_finish(monitor) for monitor in monitors)


def _read_heading(text: str) -> tuple[str, ...] | None:
    if not _HEADING.match(text):
        return None
    columns = tuple(text.lower().replace("#", " ").split())
    known = {"pid", "sm", "mem", "fb", "pwr", "gtemp", "mclk", "pclk", "enc", "command", "bar1"}
    return columns if len(known & set(columns)) >= 2 else None


def _read_cells(columns: tuple[str, ...], text: str) -> Mapping[str, str] | None:
    """Return the cells of a row by column; the command, which is last, may hold blanks."""
    cells = text.split(None, len(columns) - 1)
    has_command = columns[-1] in {"command", "name"}
    needed = len(columns) - 1 if has_command else len(columns)
    figures = cells[:needed]
    if len(figures) < min(2, needed) or not all(_CELL.match(cell) for cell in figures):
        return None
    named = dict(zip(columns, cells, strict=False))
    return named if named.get("gpu", "").isdigit() else None


def _finish(monitor: _Monitor) -> Output:
    if "pid" in monitor.columns:
        processes = tuple(_read_process(cells, line) for line, cells in _newest(monitor, ("gpu", "pid")))
        return Output(
            "nvidia-smi-pmon", monitor.line, processes=tuple(p for p in processes if p.reading.pid is not None)
        )
    gpus = tuple(_read_gpu(cells, line) for line, cells in _newest(monitor, ("gpu",)))
    return Output("nvidia-smi-dmon", monitor.line, gpus or None)


def _newest(monitor: _Monitor, key: tuple[str, ...]) -> list[tuple[int, Mapping[str, str]]]:
    """Return the records of the last sample, which a record seen before begins; a sample that is cut is completed."""
    samples: list[dict[tuple[str, ...], tuple[int, Mapping[str, str]]]] = [{}]
    for line, cells in monitor.records:
        named = tuple(cells.get(name, "") for name in key)
        if named in samples[-1]:
            samples.append({})
        samples[-1][named] = (line, cells)
    last = samples[-1]
    before = samples[-2] if len(samples) > 1 else {}
    is_cut = list(before)[: len(last)] == list(last)
    return list({**before, **last}.values()) if is_cut else list(last.values())


def _read_gpu(cells: Mapping[str, str], line: int) -> GpuReading:
    return GpuReading(
        index=int(cells["gpu"][:4]),
        memory_used_mib=leading_whole(cells.get("fb")),
        utilization_pct=leading_whole(cells.get("sm")),
        temperature_c=leading_whole(cells.get("gtemp") or cells.get("temp")),
        power_w=leading_number(cells.get("pwr")),
        line=line,
    )


def _read_process(cells: Mapping[str, str], line: int) -> Listed:
    name = (cells.get("command") or cells.get("name") or "").strip()
    kind = cells.get("type", "")
    return Listed(
        ProcessReading(
            gpu=int(cells["gpu"][:4]),
            pid=leading_whole(cells.get("pid")),
            type=kind if kind in {"C", "G", "C+G", "M+C"} else None,
            name=name if name != "-" and name else None,
            memory_mib=leading_whole(cells.get("fb")),
            line=line,
        )
    )
