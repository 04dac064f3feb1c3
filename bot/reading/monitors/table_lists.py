"""The rows below the GPUs in the table of `nvidia-smi`: MIG devices and processes."""

from __future__ import annotations

import re

from bot.evidence import MigReading, ProcessReading
from bot.reading.monitors.amounts import DIGIT, FIGURE, MIB, mib, mib_of_any_unit, whole
from bot.reading.monitors.draft import Draft
from bot.reading.monitors.output import Row

_PAIR = re.compile(rf"(?P<used>{FIGURE})\s?{MIB}\s*/\s*(?:(?P<total>{FIGURE})\s?{MIB})?")
_MIG_DEVICE = re.compile(
    rf"""
    (?:\A|\|)\s*(?P<gpu>\d{{1,3}})\s+(?P<gi>\d{{1,3}})\s+(?P<ci>\d{{1,3}})\s+(?P<dev>\d{{1,3}})\s*\|?\s*
    (?=(?P<memory>{FIGURE}\s?{MIB}|N/A|\[|Insufficient|\||\Z))
    """,
    re.VERBOSE,
)
_NONE = r"N[/Il1][A4]"  # N/A, and what OCR makes of it
_TYPE = r"(?P<type>C\+G|M\+C\+G|M\+C|M\+G|G\+C|C|G|M)"
_PROCESS = re.compile(
    rf"""
    (?:\A|\|)\s*(?P<gpu>\d{{1,3}}|[OlI])\s+
    (?:(?P<gi>{_NONE}|\d{{1,3}})\s+(?P<ci>{_NONE}|\d{{1,3}})\s+)?
    (?P<pid>{DIGIT}{{1,9}})\s+{_TYPE}(?:\s+|\Z)
    (?P<rest>[^|]*)
    """,
    re.VERBOSE,
)
_OLD_PROCESS = re.compile(r"(?:\A|\|)\s*(?P<gpu>\d{1,3})\s+(?P<pid>\d{1,10})\s+(?P<rest>[^|\s][^|]*)")
_NVITOP_PROCESS = re.compile(
    rf"""
    (?:\A|\|)\s*(?P<gpu>\d{{1,3}})\s+(?P<pid>\d{{1,10}})\s+{_TYPE}\s+(?P<user>\S+)\s+
    (?P<memory>\d[\d.]*\s?[KMGT]?i?B|N/A)\s+
    (?:(?:\d+\sdays|\d[\d.:]*|N/A)\s+)*                                # loads, shares, time
    (?P<rest>[^|]*)
    """,
    re.VERBOSE,
)
_TAIL = re.compile(
    rf"""(?:\A|(?<=\s))(?P<memory>
        {FIGURE}\s?{MIB} | N/A | \[N/A\] | Not[ ]Supported | \[?Insufficient[ ]Permissions\]?   # as printed
      | \d+\.{{2,3}} | \d[\d.,]*\s?[KGT]i?B | \d[\d.,]*\s?M?                                   # cut, or by hand
    )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_LONE_MEMORY = re.compile(rf"(?:{FIGURE}\s?{MIB}|N/A)\Z")


def take_mig_device(draft: Draft, row: Row, flat: str) -> bool:
    """Take the first of a device's two rows; the second, BAR1, is nobody's memory."""
    found = _MIG_DEVICE.search(row.text) or _MIG_DEVICE.match(flat)
    if not found or (draft.section != "mig" and not _PAIR.search(flat)):
        return False
    pair = _PAIR.match(found.string, found.start("memory"))
    draft.section = "mig"
    draft.mig_devices.append(
        MigReading(
            gpu=int(found["gpu"]),
            gi=int(found["gi"]),
            ci=int(found["ci"]),
            dev=int(found["dev"]),
            memory_used_mib=whole(pair["used"]) if pair else None,
            memory_total_mib=whole(pair["total"]) if pair else None,
            line=row.number,
        )
    )
    return True


def take_process(draft: Draft, row: Row, flat: str) -> bool:
    """Take a process; outside the process table only a row that cannot be anything else."""
    if draft.section == "out":
        return False
    if draft.kind == "nvitop":
        return _take_nvitop_process(draft, row)
    found = _PROCESS.search(row.text) or _PROCESS.match(flat) or _match_old(draft, row)
    if not found:
        return False
    rest = found["rest"].strip()
    tail = _TAIL.search(rest)
    if draft.section != "processes" and not (tail and (found.groupdict().get("gi") or mib(tail["memory"]) is not None)):
        return False
    draft.section, draft.has_processes = "processes", True
    name = rest[: tail.start()].strip() if tail else rest
    draft.processes.append(_read_process(found.groupdict(), name, tail["memory"] if tail else "", row.number))
    return True


def _match_old(draft: Draft, row: Row) -> re.Match[str] | None:
    """Match a row of the time before types were printed."""
    found = _OLD_PROCESS.search(row.text) if draft.section == "processes" else None
    return found if found and _TAIL.search(found["rest"].strip()) else None


def _read_process(cells: dict[str, str | None], name: str, memory: str, line: int) -> ProcessReading:
    gi, ci = cells.get("gi"), cells.get("ci")
    return ProcessReading(
        gpu=whole(cells["gpu"]),
        gi=int(gi) if gi and gi.isdigit() else None,
        ci=int(ci) if ci and ci.isdigit() else None,
        pid=whole(cells["pid"]),
        type=cells.get("type"),
        name=name or None,
        memory_mib=mib(memory),
        line=line,
    )


def _take_nvitop_process(draft: Draft, row: Row) -> bool:
    found = _NVITOP_PROCESS.search(row.text)
    if not found:
        return False
    draft.section, draft.has_processes = "processes", True
    draft.processes.append(
        ProcessReading(
            gpu=int(found["gpu"]),
            pid=int(found["pid"]),
            type=found["type"],
            user=found["user"],
            name=found["rest"].strip() or None,
            memory_mib=mib_of_any_unit(found["memory"]),
            line=row.number,
        )
    )
    return True


def take_lone_memory(draft: Draft, _row: Row, flat: str) -> bool:
    """Take the memory of a process whose row was broken before it, or in the middle of its digits."""
    if draft.section != "processes" or not draft.processes or draft.processes[-1].memory_mib is not None:
        return False
    memory = (draft.open_end or "") + flat
    if not _LONE_MEMORY.match(memory):
        return False
    draft.processes[-1] = draft.processes[-1].model_copy(update={"memory_mib": mib(memory)})
    return True
