"""The table of `nvidia-smi`, drivers 340 to 610, and nvitop's like it, with or without its frame."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.reading.monitors.amounts import VERSION
from bot.reading.monitors.draft import Draft
from bot.reading.monitors.output import Output, Row
from bot.reading.monitors.rows import flatten, is_frame
from bot.reading.monitors.table_gpus import heads_anew, take_figures, take_head, take_mig_mode, take_short
from bot.reading.monitors.table_lists import take_lone_memory, take_mig_device, take_process
from bot.reading.monitors.wraps import join_wrapped, split_flattened

LONGEST_ROW = 300
"""Characters of a row that are read; the widest table has 91, and a prefix before it."""

_TOOL = re.compile(r"NVIDIA[- ]SMI\s+\d|\bNVITOP\s+\d")
_DRIVER = re.compile(rf"(?<!CUDA )\b(?:Driver|KMD)\s*Version\s*:?\s*({VERSION})")
_CUDA = re.compile(rf"\bCUDA\s*(?:UMD|Driver)?\s*Version\s*:?\s*({VERSION})")
_VERSION = re.compile(VERSION)
_BLANKS = re.compile(r"\s{3,}")
_OPEN_END = re.compile(r"(?:(?<=\s\s)\d{1,7}(?:Mi?)?|Version:)\Z")
_MIG_HEADINGS = ("MIG devices", "GPU GI CI MIG")
_PROCESS_HEADINGS = ("Processes", "Compute processes", "GPU PID", "GPU GI CI PID")
_OTHER_HEADINGS = ("# gpu", "#gpu", "$ ", "timestamp,", "index,", "GPU 0:", "gpu_uuid")
_PROMPT = re.compile(r"[\w@.:/~\])-][$#>] \w|[~/\]][#$] ")


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the tables that stand in the rows, in order."""
    drafts: list[Draft] = []
    printed = (_squeeze(row) for row in split_flattened(join_wrapped(rows)) if not is_frame(row.text))
    for row in printed:
        if not drafts or _begins_anew(drafts[-1], row):
            drafts.append(Draft(row.number))
        _take(drafts[-1], row)
    outputs = (draft.finish() for draft in drafts)
    return tuple(output for output in outputs if output is not None)


def _squeeze(row: Row) -> Row:
    return Row(row.number, _BLANKS.sub("  ", row.text)[:LONGEST_ROW].rstrip())


def _begins_anew(draft: Draft, row: Row) -> bool:
    """Return whether a row belongs to another run of the tool."""
    if _TOOL.search(row.text):
        return draft.is_begun or draft.driver is not None
    return heads_anew(draft, row)


def _take(draft: Draft, row: Row) -> None:
    flat = flatten(row.text)
    for take in _TAKERS:
        if take(draft, row, flat):
            break
    end = _OPEN_END.search(row.text)
    draft.open_end = end[0] if end else None


def _take_version(draft: Draft, _row: Row, flat: str) -> bool:
    rest = _VERSION.match(flat) if draft.open_end == "Version:" else None
    if rest and draft.cuda is None:
        draft.cuda = rest[0]
        return True
    tools = _TOOL.findall(flat)
    if not tools and (draft.gpus or not ("Driver Version" in flat or "CUDA Version" in flat)):
        return False
    driver, cuda = _DRIVER.findall(flat), _CUDA.findall(flat)
    draft.is_side_by_side = draft.is_side_by_side or len(tools) > 1
    draft.driver = driver[-1] if driver else draft.driver
    draft.cuda = cuda[-1] if cuda else draft.cuda
    draft.kind = "nvitop" if "NVITOP" in flat else draft.kind
    draft.section = "gpus"
    return True


def _take_section(draft: Draft, _row: Row, flat: str) -> bool:
    if flat.startswith(_MIG_HEADINGS):
        draft.section = "mig"
    elif flat.startswith(_PROCESS_HEADINGS):
        draft.section, draft.has_processes = "processes", True
    elif flat.startswith(_OTHER_HEADINGS) or _PROMPT.search(flat[:80]):
        draft.section = "out"
    else:
        return "No running processes found" in flat or "No MIG devices found" in flat
    return True


_TAKERS = (
    _take_version,
    _take_section,
    take_head,
    take_mig_device,
    take_process,
    take_short,
    take_figures,
    take_mig_mode,
    take_lone_memory,
)
