"""`nvidia-smi -L`, and the same lines inside the environment reports of torch and vLLM."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.evidence import GpuReading, MigReading
from bot.reading.monitors.amounts import BOARD, VERSION
from bot.reading.monitors.output import Output, Row

_GPU = re.compile(
    r"(?:\A|\s)GPU (?P<index>\d{1,3}):\s+(?P<name>[^()|:]{1,80}?)\s?(?:\(UUID:\s*(?P<uuid>[\w-]*)\)?|\Z|\()"
)
_MIG = re.compile(
    r"""MIG\s+(?P<profile>[\w.+]+)\s+Device\s+(?P<dev>\d{1,3}):\s*
        (?:\(UUID:\s*(?P<uuid>MIG-(?:GPU-[\w-]+/(?P<gi>\d+)/(?P<ci>\d+)|[\w-]*)))?""",
    re.VERBOSE,
)
_DRIVER = re.compile(rf"\bNvidia driver version\s*:\s*({VERSION})", re.IGNORECASE)
_REPORT = re.compile(
    r"Collecting environment information|GPU models and configuration|PyTorch version\s*:", re.IGNORECASE
)
_BOARD = re.compile(BOARD, re.VERBOSE)


@dataclass
class _Draft:
    kind: str
    line: int
    gpus: dict[int, GpuReading] = field(default_factory=dict)
    mig_devices: list[MigReading] = field(default_factory=list)
    driver: str | None = None
    last: int | None = None


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the lists of GPUs, in order; an index that comes again begins another list."""
    drafts: list[_Draft] = []
    for row in rows:
        if _REPORT.search(row.text) and not (drafts and drafts[-1].kind == "collect-env" and not drafts[-1].gpus):
            drafts.append(_Draft("collect-env", row.number))
        driver = _DRIVER.search(row.text)
        if driver:
            drafts = drafts or [_Draft("collect-env", row.number)]
            drafts[-1].driver = driver[1]
        _take_gpu(drafts, row)
        _take_mig(drafts, row)
    return tuple(
        Output(d.kind, d.line, tuple(d.gpus.values()) or None, tuple(d.mig_devices) or None, driver=d.driver)
        for d in drafts
        if d.gpus or d.mig_devices or d.driver
    )


def _take_gpu(drafts: list[_Draft], row: Row) -> None:
    found = _GPU.search(row.text)
    if not found or not (found["uuid"] or _BOARD.match(found["name"])):
        return
    index = int(found["index"])
    if not drafts or index in drafts[-1].gpus or (drafts[-1].kind == "collect-env" and found["uuid"]):
        drafts.append(_Draft("nvidia-smi-list", row.number))
    drafts[-1].gpus[index] = GpuReading(index=index, name=found["name"], uuid=found["uuid"] or None, line=row.number)
    drafts[-1].last = index


def _take_mig(drafts: list[_Draft], row: Row) -> None:
    found = _MIG.search(row.text)
    if not found:
        return
    if not drafts:
        drafts.append(_Draft("nvidia-smi-list", row.number))
    drafts[-1].mig_devices.append(
        MigReading(
            gpu=drafts[-1].last,
            gi=int(found["gi"]) if found["gi"] else None,
            ci=int(found["ci"]) if found["ci"] else None,
            dev=int(found["dev"]),
            profile=found["profile"],
            uuid=found["uuid"],
            line=row.number,
        )
    )
