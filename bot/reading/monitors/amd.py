"""`amd-smi`: its default table, `monitor`, and the indented lists of `list`, `static`, `metric` and `process`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import VERSION, leading_number, leading_whole, mib_of_any_unit
from bot.reading.monitors.output import Listed, Output, Row
from bot.reading.monitors.rows import flatten

LONGEST_ROW = 300
"""Characters of a row that is read; the widest table of `monitor` has about 200."""

_TOOL = re.compile(r"AMD-SMI\s+\d")
_DRIVER = re.compile(rf"\bamdgpu version\s*:\s*({VERSION})", re.IGNORECASE)
_HEAD = re.compile(
    r"(?P<bus>[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.\d)\s+(?P<name>[A-Z][^|%]{0,60}?)\s*(?:\||\s\d{1,3}\s?%|\s{2,}N/A|\Z)(?P<rest>.*)"
)
_FIGURES = re.compile(r"\s*\|?\s*(?P<index>\d{1,3})\s.*?(?P<used>\d+)\s*/\s*(?P<total>\d+)\s*(?P<unit>[MG]i?B)\b")
_PROCESS = re.compile(
    r"(?:\A|\|)\s*(?P<gpu>\d{1,3})\s+(?P<pid>\d{2,10})\s+(?P<name>\S.*?)\s+(?P<amounts>(?:(?:\d[\d.]*\s?[KMGT]?i?B|N/A)\s+)+)(?P<tail>.*)"
)
_AMOUNT = re.compile(r"\d[\d.]*\s?[KMGT]?i?B|N/A")
_BLOCK = re.compile(r"\s*GPU:\s*(?P<index>\d{1,3})\s*\Z")
_PAIR = re.compile(r"\s*(?P<name>[A-Z][A-Z_ ]*[A-Z])\s*:\s*(?P<value>\S.*?)?\s*\Z")
_MONITOR = re.compile(r"\s*GPU\s+.*\b(?:VRAM_USED|VRAM_TOTAL|VRAM%|GPU_T|GFX%|VRAM_USAGE)")
_MONITOR_ROW = re.compile(r"\d{1,3}\s")
_MONITOR_CELL = re.compile(r"N/A|\d[\d.]*/\s?\d[\d.]*\s?[A-Za-z]+|-?\d[\d.]*(?:\s?(?:W|°C|C|%|MHz|[MG]i?B)(?=\s|\Z))?")


@dataclass
class _Draft:
    line: int
    gpus: dict[int, dict[str, Any]] = field(default_factory=dict)
    processes: list[dict[str, Any]] = field(default_factory=list)
    has_processes: bool = False
    driver: str | None = None
    head: dict[str, Any] = field(default_factory=dict)
    index: int | None = None
    section: str = ""
    columns: tuple[str, ...] = ()

    def gpu(self, index: int, line: int) -> dict[str, Any]:
        return self.gpus.setdefault(index, {"index": index, "line": line})


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return what amd-smi printed; its lists add up, a table begins anew."""
    drafts = [_Draft(rows[0].number if rows else 0)]
    for row in rows:
        if len(row.text) > LONGEST_ROW:
            continue
        if _TOOL.search(row.text):
            drafts.append(_Draft(row.number))
        for take in _TAKERS:
            if take(drafts[-1], row):
                break
    return tuple(_finish(draft) for draft in drafts if draft.gpus or draft.processes)


def _finish(draft: _Draft) -> Output:
    gpus = tuple(GpuReading.model_validate(gpu) for _, gpu in sorted(draft.gpus.items()))
    processes = tuple(
        Listed(ProcessReading.model_validate(process)) for process in draft.processes if process.get("pid")
    )
    has_processes = draft.has_processes or bool(processes)
    return Output(
        "amd-smi", draft.line, gpus or None, processes=processes if has_processes else None, driver=draft.driver
    )


def _take_version(draft: _Draft, row: Row) -> bool:
    found = _DRIVER.search(row.text)
    draft.driver = found[1] if found else draft.driver
    return found is not None


def _take_head(draft: _Draft, row: Row) -> bool:
    found = _HEAD.search(row.text)
    if not found:
        return False
    draft.head = {"name": found["name"].strip(), "bus_id": found["bus"], "line": row.number}
    return True


def _take_figures(draft: _Draft, row: Row) -> bool:
    """Take the second row of a GPU: index, partition, load, memory."""
    found = _FIGURES.match(row.text)
    if not found or not draft.head:
        return False
    index = int(found["index"])
    draft.gpus[index] = {
        **draft.head,
        "index": index,
        "memory_used_mib": mib_of_any_unit(f"{found['used']} {found['unit']}"),
        "memory_total_mib": mib_of_any_unit(f"{found['total']} {found['unit']}"),
    }
    draft.head = {}
    return True


def _take_process_row(draft: _Draft, row: Row) -> bool:
    if "No running processes" in row.text or flatten(row.text).startswith("Processes:"):
        draft.has_processes = True
        return True
    found = _PROCESS.search(row.text) if draft.has_processes else None
    if not found:
        return False
    amounts = [mib_of_any_unit(text) for text in _AMOUNT.findall(found["amounts"])]
    memory = amounts[1] if len(amounts) > 1 else amounts[0]
    draft.processes.append(
        {
            "gpu": int(found["gpu"]),
            "pid": int(found["pid"]),
            "name": found["name"],
            "memory_mib": memory,
            "line": row.number,
        }
    )
    return True


def _take_block(draft: _Draft, row: Row) -> bool:
    found = _BLOCK.match(row.text)
    if found:
        draft.index, draft.section = int(found["index"]), ""
        draft.gpu(draft.index, row.number)
    return found is not None


def _take_monitor(draft: _Draft, row: Row) -> bool:
    if _MONITOR.match(row.text):
        draft.columns = tuple(row.text.split())
        return True
    text = row.text.strip().strip("|").strip()
    if not draft.columns or not text:
        return False
    if not _MONITOR_ROW.match(text):
        draft.columns = ()
        return False
    cells = _MONITOR_CELL.findall(text)
    named = dict(zip(draft.columns, cells, strict=False))
    index = leading_whole(named.get("GPU"))
    if len(cells) < min(3, len(draft.columns)) or index is None:
        return False
    _read_monitor(draft.gpu(index, row.number), named)
    return True


def _read_monitor(gpu: dict[str, Any], named: Mapping[str, str]) -> None:
    used, slash, total = named.get("VRAM_USAGE", "").partition("/")
    unit = total.strip().lstrip("0123456789. ")
    used_text = f"{used.strip()} {unit}" if slash else named.get("VRAM_USED", "")
    gpu["memory_used_mib"] = mib_of_any_unit(used_text)
    gpu["memory_total_mib"] = mib_of_any_unit(total if slash else named.get("VRAM_TOTAL", ""))
    gpu["power_w"] = leading_number(named.get("POWER"))
    gpu["temperature_c"] = leading_whole(named.get("GPU_T"))
    gpu["utilization_pct"] = leading_whole(named.get("GFX%"))


def _take_pair(draft: _Draft, row: Row) -> bool:
    found = _PAIR.match(row.text)
    if not found or draft.index is None:
        return False
    name, value = found["name"], found["value"]
    if not value or name in {"PROCESS_INFO", "PROCESS"}:
        draft.section = name
        return True
    if "PROCESS" in draft.section or draft.section == "MEMORY_USAGE":
        _read_process(draft, row.number, name, value)
    elif (draft.section, name) in _GPU_FIELDS or ("", name) in _GPU_FIELDS:
        key, read = _GPU_FIELDS.get((draft.section, name)) or _GPU_FIELDS["", name]
        draft.gpu(draft.index, row.number).setdefault(key, read(value))
    elif draft.section == "DRIVER" and name == "VERSION":
        version = re.match(VERSION, value)
        draft.driver = version[0] if version else draft.driver
    return True


def _read_process(draft: _Draft, line: int, name: str, value: str) -> None:
    draft.has_processes = True
    if name == "NAME":
        draft.processes.append({"gpu": draft.index, "name": value, "line": line})
    elif name == "PID":
        if not draft.processes or draft.processes[-1].get("pid"):
            draft.processes.append({"gpu": draft.index, "line": line})
        draft.processes[-1]["pid"] = leading_whole(value)
    elif name == "VRAM_MEM" and draft.processes:
        draft.processes[-1]["memory_mib"] = mib_of_any_unit(value)


def _text(value: str) -> str | None:
    return None if value == "N/A" else value


_GPU_FIELDS: dict[tuple[str, str], tuple[str, Callable[[str], object]]] = {
    ("", "MARKET_NAME"): ("name", _text),
    ("", "BDF"): ("bus_id", _text),
    ("", "TOTAL_VRAM"): ("memory_total_mib", mib_of_any_unit),
    ("", "USED_VRAM"): ("memory_used_mib", mib_of_any_unit),
    ("", "FREE_VRAM"): ("memory_free_mib", mib_of_any_unit),
    ("VRAM", "SIZE"): ("memory_total_mib", mib_of_any_unit),
    ("USAGE", "GFX_ACTIVITY"): ("utilization_pct", leading_whole),
    ("POWER", "SOCKET_POWER"): ("power_w", leading_number),
    ("TEMPERATURE", "HOTSPOT"): ("temperature_c", leading_whole),
}

_TAKERS: tuple[Callable[[_Draft, Row], bool], ...] = (
    _take_version,
    _take_head,
    _take_figures,
    _take_process_row,
    _take_block,
    _take_monitor,
    _take_pair,
)
