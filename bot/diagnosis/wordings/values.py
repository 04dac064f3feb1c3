"""Text that a wording captured, as the value of a fact; what is no whole figure is no fact."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bot.diagnosis.wordings.search import Capture, Hit
from bot.evidence import Evidence, gather
from bot.fact_values import fact_value
from bot.facts import FACTS, Fact, Origin
from bot.units import Bytes

_UNIT = re.compile(r"\s?(GiB|GB|MiB|MB|KiB|KB|TiB|TB|bytes|B)\b", re.IGNORECASE | re.ASCII)
_CUT = re.compile(r"\.\.|…|[\w*]", re.ASCII)


def facts_in(hits: Iterable[Hit]) -> Evidence:
    """Return what the captures of wordings say: a message measures, a description only tells."""
    return gather(fact for hit in hits for fact in _facts(hit))


def _facts(hit: Hit) -> Iterable[Fact]:
    origin = Origin.MEASURED if hit.wording.kind == "message" else Origin.PASTED
    for name, capture in hit.values.items():
        value = read_capture(name, capture) if name in FACTS else None
        if value is not None:
            yield Fact(name=name, value=value, origin=origin, line=hit.line.number, quote=hit.line.text)


def read_capture(name: str, capture: Capture) -> Any:
    """Return the fact that a capture holds, or None: a number that goes on behind dots is no number.

    >>> read_capture("kv_needed", Capture("16.00", " GiB KV"))
    Bytes(17179869184)
    """
    kind = FACTS[name].type
    text = capture.text.strip().strip("'\"`")
    if kind in {"int", "float", "bytes"}:
        text = text.rstrip(".,")
        if kind != "bytes" and _CUT.match(capture.behind) and capture.text[-1:].isdigit():
            return None
    try:
        return _bytes(text, capture.behind) if kind == "bytes" else fact_value(name, text)
    except (ValueError, OverflowError):
        return None


def _bytes(text: str, behind: str) -> Bytes | None:
    if not text.replace(".", "", 1).replace(",", "").lstrip("-").isdigit():
        return Bytes.parse(text, decimal_prefix="binary")
    unit = _UNIT.match(behind)
    if unit:
        return Bytes.parse(f"{text.replace(',', '')} {unit[1]}", decimal_prefix="binary")
    return Bytes(int(text)) if text.isdigit() and len(text) > 6 and not _CUT.match(behind) else None
