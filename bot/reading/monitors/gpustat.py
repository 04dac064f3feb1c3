"""`gpustat`: a GPU a line, its processes behind it; what it calls MB and M is MiB."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import VERSION, leading_whole, whole
from bot.reading.monitors.output import Listed, Output, Row

_GPU = re.compile(
    r"""
    \s*\[(?P<index>\d{1,3})\]\s*
    (?P<name>[^|]{0,60}?)\s?(?:\||(?=\s\d{1,3}\s?(?:°|'|º|\?)?\s?C\b))        # the name, up to a bar or the temperature
    (?P<state>.{0,120}?)
    (?P<used>\?\?|\d[\d.,]{0,11})\s?/\s{0,6}(?P<total>\?\?|\d[\d.,]{0,11})\s?M(?:i?B)?\b # memory
    \s*\|?(?P<processes>.*)\Z
    """,
    re.VERBOSE,
)
_BLANKS = re.compile(r"\s{2,}")
_PROCESS = re.compile(r"(?P<who>[^()|]{1,100})\((?P<memory>\d{1,7}|\?+)\s?Mi?B?\)")
_TEMPERATURE = re.compile(r"(\d{1,3})\s?(?:°|'|º|\?|deg)?\s?C\b")
_LOAD = re.compile(r"C\b[^|]*?,?\s*(?:\d+\s?%\s*,\s*)?(\d{1,3})\s?%")
_POWER = re.compile(r"(\d{1,4})\s*/\s*(?:\d+|\?\?)\s*W")
_DRIVER = re.compile(rf"\S+\s+.*\d\d:\d\d:\d\d\s.*?({VERSION})\s*\Z")


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the outputs of gpustat that stand in the rows, in order; an index that comes again begins another."""
    drafts: list[list[tuple[GpuReading, tuple[Listed, ...], str | None]]] = []
    driver: str | None = None
    for row in rows:
        found = _GPU.match(_BLANKS.sub(" ", row.text))
        if not found:
            heading = _DRIVER.match(row.text) if len(row.text) < 200 else None
            driver = (
                heading[1]
                if heading
                and heading[1].count(".")
                and heading[1].split(".")[0].isdigit()
                and len(heading[1].split(".")[0]) == 3
                else driver
            )
            continue
        gpu = _read_gpu(found, row.number)
        if not drafts or any(gpu.index == known.index for known, _, _ in drafts[-1]):
            drafts.append([])
        drafts[-1].append((gpu, _read_processes(found["processes"], gpu.index, row.number), driver))
    return tuple(
        Output(
            "gpustat",
            draft[0][0].line or 0,
            tuple(gpu for gpu, _, _ in draft),
            processes=tuple(process for _, processes, _ in draft for process in processes),
            driver=draft[0][2],
        )
        for draft in drafts
    )


def _read_gpu(found: re.Match[str], line: int) -> GpuReading:
    state = found["state"]
    temperature, load, power = _TEMPERATURE.search(state), _LOAD.search(state), _POWER.search(state)
    return GpuReading(
        index=int(found["index"]),
        name=found["name"].strip() or None,
        memory_used_mib=whole(found["used"]),
        memory_total_mib=whole(found["total"]),
        utilization_pct=leading_whole(load[1]) if load else None,
        temperature_c=leading_whole(temperature[1]) if temperature else None,
        power_w=float(power[1]) if power else None,
        line=line,
    )


def _read_processes(text: str, gpu: int, line: int) -> tuple[Listed, ...]:
    return tuple(
        Listed(_read_process(found["who"].strip(), found["memory"], gpu, line)) for found in _PROCESS.finditer(text)
    )


def _read_process(who: str, memory: str, gpu: int, line: int) -> ProcessReading:
    """Read "user:program/pid", any part of which may be missing."""
    before, slash, pid = who.rpartition("/")
    has_pid = bool(slash) and pid.isdigit()
    label = before if has_pid else who
    user, colon, name = label.partition(":")
    return ProcessReading(
        gpu=gpu,
        pid=int(pid[:10]) if has_pid else None,
        user=user if colon or not has_pid else None,
        name=(name if colon else label if has_pid else None) or None,
        memory_mib=whole(memory),
        line=line,
    )
