"""`gpustat`: a GPU a line, its processes behind it; what it calls MB and M is MiB."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.evidence import GpuReading, ProcessReading
from bot.reading.monitors.amounts import leading_whole, whole
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
_DRIVER = re.compile(r"\s*\S+\s+.*\d\d:\d\d:\d\d\s.*?(\d{3}(?:\.\d+){1,2})\s*\Z")
_START = re.compile(r"\s*\[\d{1,3}\]\s")
LONGEST_HEADING = 200
"""Characters of the first line: host, date and driver."""
MOST_PIECES = 6
"""Lines that one GPU's line may be broken into."""


@dataclass
class _Draft:
    line: int
    driver: str | None
    gpus: list[GpuReading] = field(default_factory=list[GpuReading])
    processes: list[Listed] = field(default_factory=list[Listed])


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the outputs of gpustat that stand in the rows, in order; an index that comes again begins another."""
    drafts: list[_Draft] = []
    driver: str | None = None
    for row in _join_broken(rows):
        found = _GPU.match(_BLANKS.sub(" ", row.text))
        heading = None if found or len(row.text) > LONGEST_HEADING else _DRIVER.match(row.text)
        driver = heading[1] if heading else driver
        if not found:
            continue
        gpu = _read_gpu(found, row.number)
        if not drafts or any(gpu.index == known.index for known in drafts[-1].gpus):
            drafts.append(_Draft(row.number, driver))
        drafts[-1].gpus.append(gpu)
        drafts[-1].processes += _read_processes(found["processes"], gpu.index, row.number)
    return tuple(_finish(draft) for draft in drafts)


def _finish(draft: _Draft) -> Output:
    return Output("gpustat", draft.line, tuple(draft.gpus), processes=tuple(draft.processes), driver=draft.driver)


def _join_broken(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows, a GPU's line that was broken in one piece again; the tree of processes below it begins indented."""
    held: Row | None = None
    pieces = 0
    for row in rows:
        if held and pieces < MOST_PIECES and _goes_on(held.text, row.text):
            held, pieces = Row(held.number, held.text + row.text), pieces + 1
            continue
        if held:
            yield held
        held, pieces = row, 1
    if held:
        yield held


def _goes_on(text: str, after: str) -> bool:
    begin = after.lstrip()[:1]
    if not _START.match(text) or _START.match(after) or begin in {"", "+", "-", "`"}:
        return False
    return len(after) > LONGEST_HEADING or not _DRIVER.match(after)


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
