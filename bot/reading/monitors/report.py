"""`nvidia-smi -q`: names and values behind colons, in sections that need no indentation to be told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.reading.monitors.amounts import BUS_ID, VERSION, bus_id, leading_number, leading_whole, mib
from bot.reading.monitors.draft import LongDraft
from bot.reading.monitors.output import Output, Row

_NAME = re.compile(r"[A-Za-z][\w ./-]{0,60}\Z")
_GPU = re.compile(rf"\s*GPU\s+(?P<bus>{BUS_ID})\s*\Z")
_MARK = re.compile(r"NVSMI LOG|FB Memory Usage|Product Name\s+:|Attached GPUs\s+:")
_VERSION = re.compile(VERSION)
_FIGURES = {
    "Total": "memory_total_mib",
    "Used": "memory_used_mib",
    "Free": "memory_free_mib",
    "Reserved": "memory_reserved_mib",
}


@dataclass
class _Draft(LongDraft):
    section: str = ""
    instances: dict[str, int | None] = field(default_factory=dict[str, "int | None"])  # of the process that comes next
    in_mig: bool = False

    def gpu(self, line: int) -> dict[str, Any]:
        """Return the GPU whose block this is; a block whose beginning is cut is begun."""
        if not self.gpus:
            self.gpus.append({"index": 0, "line": line})
        return self.gpus[-1]


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the reports that stand in the rows, in order."""
    if not any(_MARK.search(row.text) for row in rows):
        return ()
    drafts = [_Draft(rows[0].number)]
    for row in rows:
        if "NVSMI LOG" in row.text:
            drafts.append(_Draft(row.number))
        _take(drafts[-1], row)
    told = (draft for draft in drafts if draft.gpus or draft.processes or (draft.driver and draft.line))
    return tuple(draft.finish("nvidia-smi-q") for draft in told)


def _take(draft: _Draft, row: Row) -> None:
    gpu = _GPU.match(row.text)
    if gpu:
        draft.gpus.append({"index": len(draft.gpus), "bus_id": bus_id(gpu["bus"]), "line": row.number})
        draft.section, draft.in_mig, draft.instances = "", False, {}
        return
    name, colon, value = (part.strip() for part in row.text.partition(": "))
    if not _NAME.match(name.rstrip(": ")):
        return
    if colon:
        _take_pair(draft, row.number, name, value)
    else:
        draft.section = name.rstrip(": ")
        if draft.section == "MIG Device":
            draft.in_mig = True
            draft.mig_devices.append({"gpu": draft.gpu(row.number)["index"], "line": row.number})


def _take_pair(draft: _Draft, line: int, name: str, value: str) -> None:
    if draft.in_mig and name in _OUT_OF_MIG:
        draft.in_mig = False
    if name in {"Driver Version", "KMD Version"}:
        version = _VERSION.match(value)
        draft.driver = version[0] if version else None
    elif name in {"CUDA Version", "CUDA UMD Version", "CUDA Driver Version"}:
        version = _VERSION.match(value)
        draft.cuda = version[0] if version else None
    elif draft.in_mig:
        _take_mig(draft, name, value)
    elif draft.section == "Processes" or name in {"Process ID", "Used GPU Memory"}:
        _take_process(draft, line, name, value)
    else:
        _take_gpu(draft, line, name, value)


_OUT_OF_MIG = frozenset(
    {"Accounting Mode", "Serial Number", "GPU UUID", "Minor Number", "Fan Speed", "Process ID", "Compute Mode"}
)


def _take_mig(draft: _Draft, name: str, value: str) -> None:
    device = draft.mig_devices[-1]
    fields = {"Index": "dev", "GPU Instance ID": "gi", "Compute Instance ID": "ci"}
    if name in fields:
        device[fields[name]] = leading_whole(value)
    elif draft.section == "FB Memory Usage" and name in {"Total", "Used"}:
        device.setdefault(_FIGURES[name], mib(value))


def _take_process(draft: _Draft, line: int, name: str, value: str) -> None:
    draft.section = "Processes"
    if name == "Process ID":
        place = {"gpu": draft.gpu(line)["index"], "pid": leading_whole(value), "line": line}
        draft.processes.append({**place, **draft.instances})
        draft.instances = {}
    elif name.lower() in {"gpu instance id", "compute instance id"}:
        draft.instances["gi" if name.lower().startswith("gpu") else "ci"] = leading_whole(value)
    elif draft.processes and name in _PROCESS_FIELDS:
        key, read = _PROCESS_FIELDS[name]
        draft.processes[-1][key] = read(value)


def _text(value: str) -> str | None:
    return value if value and value not in {"N/A", "[N/A]"} else None


_PROCESS_FIELDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "Type": ("type", _text),
    "Name": ("name", _text),
    "Used GPU Memory": ("memory_mib", mib),
}
_GPU_FIELDS: dict[tuple[str, str], tuple[str, Callable[[str], object]]] = {
    ("", "Product Name"): ("name", _text),
    ("", "GPU UUID"): ("uuid", _text),
    ("", "GPU Current Temp"): ("temperature_c", leading_whole),
    ("", "Power Draw"): ("power_w", leading_number),
    ("GPU Power Readings", "Average Power Draw"): ("power_w", leading_number),
    ("Utilization", "Gpu"): ("utilization_pct", leading_whole),
    ("Utilization", "GPU"): ("utilization_pct", leading_whole),
    **{("FB Memory Usage", name): (field_, mib) for name, field_ in _FIGURES.items()},
}


def _take_gpu(draft: _Draft, line: int, name: str, value: str) -> None:
    known = _GPU_FIELDS.get((draft.section, name)) or _GPU_FIELDS.get(("", name))
    if known:
        key, read = known
        draft.gpu(line).setdefault(key, read(value))
    elif draft.section == "MIG Mode" and name == "Current" and value in {"Enabled", "Disabled"}:
        draft.gpu(line)["mig_mode"] = value
    elif name == "Display Active":
        draft.gpu(line)["display"] = {"Enabled": True, "Disabled": False}.get(value)
