"""The rows of a GPU in the table of `nvidia-smi`: name and bus id, then its figures, then its MIG mode."""

from __future__ import annotations

import re
from typing import Any

from bot.reading.monitors.amounts import BOARD, BUS_ID, FIGURE, MIB, bus_id, leading_number, mib_of_any_unit, whole
from bot.reading.monitors.draft import Draft
from bot.reading.monitors.output import Row

_MODE = r"(?:[O0][Nn]|[O0]ff|N/A|WDDM|TCC|MCDM|ERR!)"
_HEAD = re.compile(rf"(?P<bus>{BUS_ID})(?:\s+(?P<display>[O0]n|[O0]ff|N/A)\b)?", re.IGNORECASE)
_NAMED = re.compile(rf"\W{{0,3}}(?P<index>\d{{1,3}}|[OolI](?=\s))(?:\s+|(?=[A-Z]))(?P<name>\S.*?)(?:\s*{_MODE})?\Z")
_INDEXED = re.compile(rf"(?:\A|\s)(?:\d{{1,3}}|[OolI])\s+[^\s,][^,]*\s{_MODE}\Z")
_NAMELESS = re.compile(rf"(?P<name>\S.*?)(?:\s+{_MODE})?\Z")
_FIGURES = re.compile(r"\W?(?:N/[A4]|NIA|ERR!|[\dOl]{1,3}\s?%)\s*(?:N/A|ERR!|[\dOl]{1,3}C(?![a-z]))")
_PAIR = re.compile(rf"(?P<used>{FIGURE})\s?{MIB}\s*/\s*(?:(?P<total>{FIGURE})\s?{MIB})?|/\s*(?P<only>{FIGURE})\s?{MIB}")
_ANY_PAIR = re.compile(r"(?P<used>\d[\d.]*\s?[KMGT]i?B)\s*/\s*(?P<total>\d[\d.]*\s?[KMGT]i?B)")
_TEMPERATURE = re.compile(r"(?:N/A|NIA|ERR!|%)\s*(\d{1,3})C(?![a-z])")
_POWER = re.compile(r"(\d{1,5})\s?W\s*/")
_PERCENT = re.compile(r"(\d{1,3})\s?%")
_COMPLETE = re.compile(rf"{MIB}\s*/|Default|Process|Prohibited|Not Supported|ERR!|W\s*N/A|N/A\s+N/A")
_LOST = re.compile(r"\W?ERR!\s*ERR!\s*ERR!")
_MIG_MODE = re.compile(r"(?:\s|\A)(Enabled|Disabled)\*?\Z")
_SHORT = re.compile(rf"(?P<index>\d{{1,3}})\s+(?P<name>[A-Z][^|%]*?)\s+(?:{_MODE}\s+)?(?={FIGURE}\s?{MIB}\s*/)")
_BOARD = re.compile(BOARD, re.VERBOSE)
_NO_NAMES = frozenset({"N/A", "Unknown Error", "[Unknown Error]"})


def heads_anew(draft: Draft, row: Row) -> bool:
    """Return whether a row is a GPU's of another run: its index was printed, or the table had come to its end."""
    if draft.section == "processes" and _FIGURES.match(row.text.strip("| ")):
        return True
    head = _HEAD.search(row.text)
    if not head or not draft.gpus or not _is_head(row.text[: head.start()], row.text[head.end() :], head["display"]):
        return False
    index = _read_head(row.text, head, 0)["index"]
    return bool(draft.gpus[-1].get("has_figures")) and any(gpu["index"] == index for gpu in draft.gpus)


def take_head(draft: Draft, row: Row, _flat: str) -> bool:
    """Take the first row of a GPU."""
    heads = list(_HEAD.finditer(row.text))
    if not heads:
        return False
    head, after = heads[0], row.text[heads[0].end() :]
    if not _is_head(row.text[: head.start()], after, head["display"]):
        return False
    if len(heads) > 1 and not _PAIR.search(row.text):
        draft.is_side_by_side = True
        return True
    draft.gpus.append({**_read_head(row.text, head, len(draft.gpus)), "line": row.number})
    draft.section = "gpus"
    _read_figures(draft, after)
    return True


def _is_head(before: str, after: str, display: str | None) -> bool:
    """Return whether a bus id stands where the table has it: behind a bar, or behind index, name and a mode."""
    cell = before.rstrip()
    if after.startswith(":"):
        return False
    if cell.endswith("|"):
        name = cell.rstrip("| ").rpartition("|")[2].strip()
        return bool(name) or (display is not None and "|" in after)
    return _INDEXED.search(cell) is not None


def _read_head(text: str, head: re.Match[str], position: int) -> dict[str, Any]:
    """Return what the first row of a GPU says; a row whose beginning is cut gets its position as index."""
    cell = text[: head.start()].rstrip(" |").rpartition("|")[2].strip()
    named = _NAMED.match(cell)
    found = named or _NAMELESS.match(cell)
    name = found["name"].strip() if found else None
    return {
        "index": whole(named["index"]) if named else position,
        "name": None if name is None or name.startswith("ERR!") or name in _NO_NAMES else name,
        "bus_id": bus_id(head["bus"]),
        "display": {"n": True, "f": False}.get((head["display"] or "")[1:2].lower()),
    }


def take_short(draft: Draft, row: Row, flat: str) -> bool:
    """Take a GPU that somebody shortened to index, name and memory."""
    found = _SHORT.match(flat)
    if not found or not _BOARD.match(found["name"]):
        return False
    draft.gpus.append({"index": int(found["index"]), "name": found["name"].strip(), "line": row.number})
    draft.section = "gpus"
    _read_figures(draft, flat)
    return True


def take_figures(draft: Draft, row: Row, flat: str) -> bool:
    """Take the second row of a GPU; one whose first row is cut away makes a GPU by itself."""
    if not _FIGURES.match(flat):
        return _take_rest(draft, flat)
    if not draft.gpus or draft.gpus[-1].get("has_figures"):
        draft.gpus.append({"index": len(draft.gpus), "line": row.number})
    draft.section = "gpus"
    _read_figures(draft, flat)
    draft.gpus[-1]["has_figures"] = True
    draft.gpus[-1]["is_open"] = not _COMPLETE.search(flat)
    if _LOST.match(flat):
        draft.gpus[-1]["memory_used_mib"] = None
    return True


def _take_rest(draft: Draft, flat: str) -> bool:
    """Take memory that stands below the row it belongs to; digits that a break may have split are nobody's."""
    pair = _PAIR.search(flat)
    if draft.section != "gpus" or not draft.gpus or not pair:
        return False
    gpu = draft.gpus[-1]
    if gpu.get("memory_total_mib") is not None or (gpu.get("has_figures") and not gpu.get("is_open")):
        return False
    if draft.open_end and pair.start() == 0 and gpu.get("is_open"):
        return False
    _read_figures(draft, flat)
    return True


def _read_figures(draft: Draft, text: str) -> None:
    """Read memory, load, temperature and power of the GPU last begun; what is already known stays."""
    gpu = draft.gpus[-1]
    _read_memory(gpu, text, any_unit=draft.kind == "nvitop")
    temperature, power = _TEMPERATURE.search(text), _POWER.search(text)
    if temperature:
        gpu["temperature_c"] = int(temperature[1])
    if power:
        gpu["power_w"] = leading_number(power[1])


def _read_memory(gpu: dict[str, Any], text: str, *, any_unit: bool) -> None:
    pair = (_ANY_PAIR if any_unit else _PAIR).search(text)
    if not pair:
        return
    read = mib_of_any_unit if any_unit else whole
    total = pair["total"] if any_unit else pair["total"] or pair["only"]
    load = _PERCENT.search(text, pair.end())
    gpu["memory_used_mib"] = read(pair["used"]) if pair["used"] else None
    gpu["memory_total_mib"] = read(total) if total else None
    gpu["utilization_pct"] = int(load[1]) if load else None
    gpu["has_figures"] = True


def take_mig_mode(draft: Draft, _row: Row, flat: str) -> bool:
    """Take the third row of a GPU."""
    found = _MIG_MODE.search(flat)
    if draft.section != "gpus" or not draft.gpus or not found:
        return False
    draft.gpus[-1]["mig_mode"] = found[1]
    return True
