"""The table of `nvidia-smi`, drivers 340 to 610, with or without its frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.evidence import GpuReading, MigReading, ProcessReading
from bot.reading.monitors.amounts import (
    BUS_ID,
    FIGURE,
    MIB,
    VERSION,
    bus_id,
    leading_number,
    mib,
    mib_of_any_unit,
    whole,
)
from bot.reading.monitors.output import Listed, Output, Row
from bot.reading.monitors.rows import flatten, is_frame, join_wrapped, split_flattened

_TOOL = re.compile(r"NVIDIA[- ]SMI\s+\d|\bNVITOP\s+\d")
_DRIVER = re.compile(rf"\b(?:Driver|KMD)\s*Version\s*:?\s*({VERSION})")
_CUDA = re.compile(rf"\bCUDA\s*(?:UMD|Driver)?\s*Version\s*:?\s*({VERSION})")
_MODE = r"(?:[O0][Nn]|[O0]ff|N/A|WDDM|TCC|MCDM|ERR!)"
_HEAD = re.compile(rf"(?P<bus>{BUS_ID})(?:\s+(?P<display>On|Off|N/A)\b)?", re.IGNORECASE)
_NAMED = re.compile(rf"\W{{0,3}}(?P<index>\d{{1,3}})\s+(?P<name>\S.*?)(?:\s+{_MODE})?\s*\Z")
_INDEXED = re.compile(rf"(?:\A|\s)\d{{1,3}}\s+[^\s,][^,]*\s{_MODE}\Z")
_NAMELESS = re.compile(rf"(?P<name>\S.*?)(?:\s+{_MODE})?\s*\Z")
_FIGURES = re.compile(r"\W?(?:N/A|ERR!|\d{1,3}\s?%)\s*(?:N/A|ERR!|\d{1,3}\s?C)\b")
_PAIR = re.compile(rf"(?P<used>{FIGURE})\s?{MIB}\s*/\s*(?:(?P<total>{FIGURE})\s?{MIB})?|/\s*(?P<only>{FIGURE})\s?{MIB}")
_TEMPERATURE = re.compile(r"(?:N/A|ERR!|%)\s*(\d{1,3})\s?C\b")
_POWER = re.compile(r"(\d{1,5})\s?W\s*/")
_PERCENT = re.compile(r"(\d{1,3})\s?%")
_LOST = re.compile(r"\W?ERR!\s*ERR!\s*ERR!")
_MIG_MODE = re.compile(r"(?:\s|\A)(Enabled|Disabled)\*?\Z")
_SHORT = re.compile(
    rf"""
    (?P<index>\d{{1,3}})\s+
    (?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID|RTX|GTX|A\d{{1,4}}|H\d{{2,3}}|B\d{{3}}|GH\d{{3}}|GB\d+|L\d{{1,2}}S?|V100|P\d+|T4|K80)\b[^|%]*?)
    \s+(?:{_MODE}\s+)?(?={FIGURE}\s?{MIB}\s*/)
    """,
    re.VERBOSE,
)
_MIG_DEVICE = re.compile(
    rf"""
    (?:\A|\|)\s*(?P<gpu>\d{{1,3}})\s+(?P<gi>\d{{1,3}})\s+(?P<ci>\d{{1,3}})\s+(?P<dev>\d{{1,3}})\s*\|?\s*
    (?=(?P<memory>{FIGURE}\s?{MIB}|N/A|\[|Insufficient|\||\Z))
    """,
    re.VERBOSE,
)
_PROCESS = re.compile(
    r"""
    (?:\A|\|)\s*(?P<gpu>\d{1,3})\s+
    (?:(?P<gi>N/A|\d{1,3})\s+(?P<ci>N/A|\d{1,3})\s+)?
    (?P<pid>\d{1,10})\s+
    (?P<type>C\+G|M\+C\+G|M\+C|M\+G|G\+C|C|G|M)(?:\s+|\Z)
    (?P<rest>[^|]*?)\s*(?:\||\Z)
    """,
    re.VERBOSE,
)
_OLD_PROCESS = re.compile(r"(?:\A|\|)\s*(?P<gpu>\d{1,3})\s+(?P<pid>\d{1,10})\s+(?P<rest>[^|\s][^|]*?)\s*(?:\||\Z)")
_TAIL = re.compile(
    rf"""(?:\A|(?<=\s))(?P<memory>
        {FIGURE}\s?{MIB} | N/A | \[N/A\] | Not[ ]Supported | \[?Insufficient[ ]Permissions\]?   # as printed
      | \d+\.{{2,3}} | \d[\d.,]*\s?[KGT]i?B | \d[\d.,]*\s?M?                                   # cut, or by hand
    )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_LONE_MEMORY = re.compile(rf"(?:{FIGURE}\s?{MIB}|N/A)\Z")


@dataclass
class Draft:
    """A table as far as it was read."""

    line: int
    kind: str = "nvidia-smi"
    section: str = "gpus"
    gpus: list[dict[str, Any]] = field(default_factory=list)
    mig_devices: list[MigReading] = field(default_factory=list)
    processes: list[ProcessReading] = field(default_factory=list)
    driver: str | None = None
    cuda: str | None = None
    has_processes: bool = False
    is_side_by_side: bool = False
    memory_of: Callable[[str], int | None] = mib

    def finish(self) -> Output | None:
        """Return what was read, or nothing when there was nothing."""
        if self.is_side_by_side:
            return Output(
                self.kind, self.line, (), (), (), unfinished=("two tables stand side by side on the same lines",)
            )
        if not (self.gpus or self.mig_devices or self.processes or self.has_processes or self.driver or self.cuda):
            return None
        gpus = tuple(GpuReading.model_validate(_settle(gpu)) for gpu in self.gpus)
        has_processes = self.has_processes or bool(self.processes)
        return Output(
            self.kind,
            self.line,
            gpus or None,
            tuple(self.mig_devices) if gpus or self.mig_devices else None,
            tuple(Listed(process) for process in self.processes) if has_processes or gpus else None,
            self.driver,
            self.cuda,
        )


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the tables that stand in the rows, in order."""
    drafts: list[Draft] = []
    for row in split_flattened(join_wrapped(rows)):
        if is_frame(row.text):
            continue
        draft = drafts[-1] if drafts else Draft(row.number)
        if not drafts or _begins_anew(draft, row.text):
            draft = Draft(row.number)
            drafts.append(draft)
        for take in _TAKERS:
            if take(draft, row, flatten(row.text)):
                break
    outputs = (draft.finish() for draft in drafts)
    return tuple(output for output in outputs if output is not None)


def _begins_anew(draft: Draft, text: str) -> bool:
    """Return whether a row belongs to another run: a version line, or an index that was already printed."""
    if _TOOL.search(text):
        return bool(draft.gpus or draft.processes or draft.has_processes or draft.driver)
    head = _HEAD.search(text)
    if not head or not draft.gpus:
        return False
    index = _read_head(text, head, 0).get("index")
    return any(gpu["index"] == index for gpu in draft.gpus) and draft.gpus[-1].get("has_figures", False)


def _settle(gpu: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in gpu.items() if name != "has_figures"}


def _take_version(draft: Draft, row: Row, flat: str) -> bool:
    if not (_TOOL.search(flat) or (not draft.gpus and ("Driver Version" in flat or "CUDA Version" in flat))):
        return False
    driver, cuda = _DRIVER.findall(flat), _CUDA.findall(flat)
    if len(_TOOL.findall(flat)) > 1:
        draft.is_side_by_side = True
    draft.driver = driver[-1] if driver else draft.driver
    draft.cuda = cuda[-1] if cuda else draft.cuda
    draft.section = "gpus"
    if "NVITOP" in flat:
        draft.kind, draft.memory_of = "nvitop", mib_of_any_unit
    return True


def _take_section(draft: Draft, row: Row, flat: str) -> bool:
    if flat.startswith(("MIG devices", "GPU GI CI MIG")):
        draft.section = "mig"
    elif flat.startswith(("Processes", "Compute processes", "GPU PID Type", "GPU GI CI PID", "GPU PID")):
        draft.section, draft.has_processes = "processes", True
    elif (
        flat.startswith(("# gpu", "#gpu", "$ ", "timestamp,", "index,", "GPU 0:", "gpu_uuid"))
        or "~$ " in flat
        or "~# " in flat
    ):
        draft.section = "out"
    else:
        return "No running processes found" in flat or "No MIG devices found" in flat
    return True


def _read_head(text: str, head: re.Match[str], position: int) -> dict[str, Any]:
    """Return what the first row of a GPU says; a row whose beginning is cut gets its position as index."""
    cell = text[: head.start()].rstrip(" |\t").rpartition("|")[2].strip()
    named = _NAMED.match(cell)
    nameless = _NAMELESS.match(cell)
    name = named["name"] if named else nameless["name"] if nameless else None
    return {
        "index": int(named["index"]) if named else position,
        "name": None if name is None or name.startswith("ERR!") or name in {"N/A", "Unknown Error"} else name,
        "bus_id": bus_id(head["bus"]),
        "display": {"on": True, "off": False}.get((head["display"] or "").lower()),
    }


def _take_head(draft: Draft, row: Row, flat: str) -> bool:
    heads = list(_HEAD.finditer(row.text))
    if not heads or not _is_head(row.text[: heads[0].start()], row.text[heads[0].end() :]):
        return False
    if len(heads) > 1 and not _PAIR.search(row.text):
        draft.is_side_by_side = True
        return True
    read = _read_head(row.text, heads[0], len(draft.gpus))
    draft.gpus.append({**read, "line": row.number})
    draft.section = "gpus"
    _read_figures(draft, row.text[heads[0].end() :])
    return True


def _is_head(before: str, after: str) -> bool:
    """Return whether a bus id stands where the table has it: behind a bar, or behind index, name and a mode."""
    cell = before.rstrip()
    if cell.endswith("|"):
        return cell.rstrip("|").strip() != "" or after.count("|") > 1
    return _INDEXED.search(cell) is not None and not after.startswith(":")


def _take_short(draft: Draft, row: Row, flat: str) -> bool:
    found = _SHORT.match(flat)
    if not found:
        return False
    draft.gpus.append({"index": int(found["index"]), "name": found["name"].strip(), "line": row.number})
    draft.section = "gpus"
    _read_figures(draft, flat)
    return True


def _read_figures(draft: Draft, text: str) -> None:
    """Read memory, load, temperature and power of the GPU last begun; what is already known stays."""
    gpu = draft.gpus[-1]
    pair = _PAIR.search(text)
    if pair:
        gpu["memory_used_mib"] = whole(pair["used"])
        gpu["memory_total_mib"] = whole(pair["total"] or pair["only"])
        gpu["has_figures"] = True
        load = _PERCENT.search(text, pair.end())
        gpu["utilization_pct"] = int(load[1]) if load else None
    temperature, power = _TEMPERATURE.search(text), _POWER.search(text)
    if temperature:
        gpu["temperature_c"] = int(temperature[1])
    if power:
        gpu["power_w"] = leading_number(power[1])


def _take_figures(draft: Draft, row: Row, flat: str) -> bool:
    is_figures = _FIGURES.match(flat) is not None
    if draft.section != "gpus" or not (is_figures or _PAIR.search(flat)):
        return False
    if not draft.gpus or draft.gpus[-1].get("has_figures"):
        if not is_figures:
            return False
        draft.gpus.append({"index": len(draft.gpus), "line": row.number})
    _read_figures(draft, flat)
    if is_figures:
        draft.gpus[-1]["has_figures"] = True
    if _LOST.match(flat):
        draft.gpus[-1]["memory_used_mib"] = None
    return True


def _take_mig_mode(draft: Draft, row: Row, flat: str) -> bool:
    found = _MIG_MODE.search(flat)
    if draft.section != "gpus" or not draft.gpus or not found or len(flat) > 120:
        return False
    draft.gpus[-1]["mig_mode"] = found[1]
    return True


def _take_mig_device(draft: Draft, row: Row, flat: str) -> bool:
    found = _MIG_DEVICE.search(row.text) or _MIG_DEVICE.match(flat)
    if not found or (draft.section != "mig" and not _PAIR.search(flat)):
        return False
    pair = _PAIR.search(row.text, found.start("memory"))
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


def _take_process(draft: Draft, row: Row, flat: str) -> bool:
    found = _PROCESS.search(row.text) or _PROCESS.match(flat)
    if not found and draft.section == "processes" and draft.kind == "nvidia-smi":
        found = _OLD_PROCESS.search(row.text)
        found = found if found and _TAIL.search(found["rest"]) else None
    if not found or draft.section == "out":
        return False
    tail = _TAIL.search(found["rest"])
    if draft.section != "processes" and not (tail and (found.groupdict().get("gi") or mib(tail["memory"]) is not None)):
        return False
    draft.section, draft.has_processes = "processes", True
    draft.processes.append(_read_process(found.groupdict(), tail, row.number))
    return True


def _read_process(cells: dict[str, str | None], tail: re.Match[str] | None, line: int) -> ProcessReading:
    rest = cells["rest"] or ""
    name = rest[: tail.start()].strip() if tail else rest
    gi, ci = cells.get("gi"), cells.get("ci")
    return ProcessReading(
        gpu=int(cells["gpu"] or 0),
        gi=int(gi) if gi and gi.isdigit() else None,
        ci=int(ci) if ci and ci.isdigit() else None,
        pid=int(cells["pid"] or 0),
        type=cells.get("type"),
        name=name or None,
        memory_mib=mib(tail["memory"]) if tail else None,
        line=line,
    )


def _take_lone_memory(draft: Draft, row: Row, flat: str) -> bool:
    """Take the memory of a process whose row was wrapped before it."""
    if draft.section != "processes" or not draft.processes or not _LONE_MEMORY.match(flat):
        return False
    last = draft.processes[-1]
    if last.memory_mib is None:
        draft.processes[-1] = last.model_copy(update={"memory_mib": mib(flat)})
    return True


_TAKERS = (
    _take_version,
    _take_section,
    _take_head,
    _take_mig_device,
    _take_process,
    _take_short,
    _take_figures,
    _take_mig_mode,
    _take_lone_memory,
)
