"""`nvidia-smi -q -x`: tags read one by one, so that a truncated document serves and no entity is ever expanded."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.reading.monitors.amounts import VERSION, bus_id, leading_number, leading_whole, mib
from bot.reading.monitors.draft import LongDraft
from bot.reading.monitors.output import Output, Row

_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-z]\w*)(?P<attributes>[^<>]*)>(?P<text>[^<]*)(?=(?P<next><?))")
_ID = re.compile(r"id\s*=\s*[\"']([^\"'<>]+)")
_VERSION = re.compile(VERSION)
DEEPEST = 32
"""Levels of nesting that are followed; real reports have 7."""


@dataclass
class _Draft(LongDraft):
    path: list[str] = field(default_factory=list)


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the XML reports that stand in the rows, in order."""
    drafts: list[_Draft] = []
    for row in rows:
        if "<" not in row.text:
            continue
        for tag in _TAG.finditer(row.text):
            if (tag["name"] == "nvidia_smi_log" and not tag["close"]) or not drafts:
                drafts.append(_Draft(row.number))
            _take(drafts[-1], row.number, tag)
    return tuple(draft.finish("nvidia-smi-xml") for draft in drafts if draft.gpus or draft.driver)


def _take(draft: _Draft, line: int, tag: re.Match[str]) -> None:
    name = tag["name"]
    if tag["close"]:
        if name in draft.path:
            del draft.path[len(draft.path) - 1 - draft.path[::-1].index(name) :]
        return
    if name in _OPENERS:
        _OPENERS[name](draft, line, tag["attributes"])
    if tag["attributes"].endswith("/"):
        return
    draft.path = [*draft.path, name][-DEEPEST:]
    value = html.unescape(tag["text"]).strip()
    if value and tag["next"]:
        _take_value(draft, name, value)


def _open_gpu(draft: _Draft, line: int, attributes: str) -> None:
    found = _ID.search(attributes)
    if found:
        draft.gpus.append({"index": len(draft.gpus), "bus_id": bus_id(found[1]), "line": line})


def _open_mig(draft: _Draft, line: int, _attributes: str) -> None:
    draft.mig_devices.append({"gpu": draft.gpus[-1]["index"] if draft.gpus else None, "line": line})


def _open_process(draft: _Draft, line: int, _attributes: str) -> None:
    draft.processes.append({"gpu": draft.gpus[-1]["index"] if draft.gpus else None, "line": line})


_OPENERS: dict[str, Callable[[_Draft, int, str], None]] = {
    "gpu": _open_gpu,
    "mig_device": _open_mig,
    "process_info": _open_process,
}


def _text(value: str) -> str | None:
    return None if value == "N/A" else value


_MEMORY = {
    "total": "memory_total_mib",
    "used": "memory_used_mib",
    "free": "memory_free_mib",
    "reserved": "memory_reserved_mib",
}
_PROCESS_FIELDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "pid": ("pid", leading_whole),
    "type": ("type", _text),
    "process_name": ("name", _text),
    "used_memory": ("memory_mib", mib),
    "gpu_instance_id": ("gi", leading_whole),
    "compute_instance_id": ("ci", leading_whole),
}
_MIG_FIELDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "index": ("dev", leading_whole),
    "gpu_instance_id": ("gi", leading_whole),
    "compute_instance_id": ("ci", leading_whole),
}
_GPU_FIELDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "product_name": ("name", _text),
    "uuid": ("uuid", _text),
    "gpu_temp": ("temperature_c", leading_whole),
    "gpu_util": ("utilization_pct", leading_whole),
    "power_draw": ("power_w", leading_number),
    "average_power_draw": ("power_w", leading_number),
}


def _take_value(draft: _Draft, name: str, value: str) -> None:
    path = draft.path
    if name in {"driver_version", "cuda_version", "kmd_version", "cuda_umd_version"}:
        version = _VERSION.match(value)
        setattr(draft, "cuda" if name.startswith("cuda") else "driver", version[0] if version else None)
    elif "accounted_processes" in path:
        return
    elif "process_info" in path and draft.processes:
        _set(draft.processes[-1], _PROCESS_FIELDS.get(name), value)
    elif "mig_device" in path and draft.mig_devices:
        known = _MIG_FIELDS.get(name) or (_memory_field(path, name) if name in {"total", "used"} else None)
        _set(draft.mig_devices[-1], known, value)
    elif draft.gpus:
        _set(draft.gpus[-1], _GPU_FIELDS.get(name) or _memory_field(path, name), value)
        if name == "current_mig" and value in {"Enabled", "Disabled"}:
            draft.gpus[-1]["mig_mode"] = value


def _memory_field(path: Sequence[str], name: str) -> tuple[str, Callable[[str], object]] | None:
    return (_MEMORY[name], mib) if path[-2:-1] == ["fb_memory_usage"] and name in _MEMORY else None


def _set(record: dict[str, Any], known: tuple[str, Callable[[str], object]] | None, value: str) -> None:
    if known and record.get(known[0]) is None:
        record[known[0]] = known[1](value)
