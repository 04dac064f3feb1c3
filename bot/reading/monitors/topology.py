"""`nvidia-smi topo`, `mig -lgi`, `mig -lgip` and `vgpu`: tables that name GPUs and say nothing of their memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import GpuReading, MigReading
from bot.reading.monitors.output import Output, Row
from bot.reading.monitors.rows import flatten

_LINK = r"(?:X|NV\d+|SYS|NODE|PHB|PXB|PIX|PSB|SOC|OK|CNS|GNS|TNS|NS|U)"
_TOPOLOGY = re.compile(rf"\s*GPU(?P<index>\d{{1,3}})\s+(?:{_LINK}\b|N/A\s)")
_PROFILES = re.compile(r"GPU instance profiles|Free/Total")
_INSTANCES = re.compile(r"GPU instances:|Compute instances:")
_ROW = re.compile(r"(?P<gpu>\d{1,3}) (?:(?P<gi>\d{1,3}) )?MIG (?P<profile>[\dg.]\S*) (?P<rest>[\d* ].*)")


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the matrix of links and the lists of MIG instances and profiles that stand in the rows."""
    links: dict[int, GpuReading] = {}
    for row in rows:
        found = _TOPOLOGY.match(row.text)
        if found:
            links[int(found["index"])] = GpuReading(index=int(found["index"]), line=row.number)
    first = next(iter(links.values()), None)
    outputs = [Output("nvidia-smi-topo", first.line or 0, tuple(links.values()))] if first else []
    return (*outputs, *_find_mig(rows))


def _find_mig(rows: Sequence[Row]) -> tuple[Output, ...]:
    is_list, is_compute = False, False
    gpus: dict[int, GpuReading] = {}
    devices: list[MigReading] = []
    for row in rows:
        if _PROFILES.search(row.text) or _INSTANCES.search(row.text):
            is_list, is_compute = _INSTANCES.search(row.text) is not None, "Compute" in row.text
        found = _ROW.match(flatten(row.text))
        if not found or "Device" in row.text:
            continue
        gpu = int(found["gpu"])
        gpus.setdefault(gpu, GpuReading(index=gpu, line=row.number))
        if is_list:
            devices.append(_read_device(found, row.number, is_compute=is_compute))
    if not gpus:
        return ()
    line = next(iter(gpus.values())).line or 0
    return (Output("nvidia-smi-mig", line, tuple(gpus.values()), tuple(devices) or None),)


def _read_device(found: re.Match[str], line: int, *, is_compute: bool) -> MigReading:
    figures = [int(text) for text in re.findall(r"(?<![\d:])\d{1,3}(?![\d:])", found["rest"])]
    instance = figures[1] if len(figures) > 1 else None
    return MigReading(
        gpu=int(found["gpu"]),
        gi=(int(found["gi"]) if found["gi"] else None) if is_compute else instance,
        ci=instance if is_compute else None,
        profile=found["profile"],
        line=line,
    )
