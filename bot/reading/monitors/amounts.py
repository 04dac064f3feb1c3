"""Figures as monitoring tools print them, OCR slips included; a placeholder is None."""

from __future__ import annotations

import re

DIGIT = r"[0-9OolI]"
FIGURE = rf"{DIGIT}(?:{DIGIT}|[.,](?={DIGIT}))*"
"""Digits with points or commas between them; OCR writes O for 0 and l or I for 1."""
MIB = r"M[iIl1!:]?B"
BUS_ID = r"(?:[0-9A-FOo]{4}){1,2}:\s?[0-9A-FOo]{2}:\s?[0-9A-FOo]{2}\.\s?[0-9OolI]"
UUID = r"GPU-[0-9a-fA-FxX]{8}-[0-9a-fA-FxX-]{4,27}"
BOARD = r"""(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID|AMD|Radeon)(?![-\w])      # a vendor's line of cards
  | (?:RTX|GTX)\s\w | [ABHLPVT]\d{1,4}[A-Z]{0,2}(?:[- ]|\Z) | GH200 | GB\d{2,3}\b | Orin\b | Graphics\sDevice"""
"""How the name of a GPU begins (verbose mode)."""
VERSION = r"\d+(?:\.\d+){1,3}"

_SLIPS = str.maketrans("OolI", "0011")
_MIB_ONLY = re.compile(rf"\s*({FIGURE})\s?{MIB}\s*\Z")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+\Z")
_UNITS = {"B": -20, "KB": -10, "KIB": -10, "MB": 0, "MIB": 0, "GB": 10, "GIB": 10, "TB": 20, "TIB": 20}
_AMOUNT = re.compile(r"\s*(\d+(?:[.,]\d+)*)\s*([KMGT]?i?B)\s*\Z", re.IGNORECASE)
_WHOLE = re.compile(r"\s*(-?\d+)\b")
_FRACTION = re.compile(r"\s*(\d+(?:\.\d+)?)")


def whole(text: str | None) -> int | None:
    """Return the figure without its thousands marks; None when it is no whole number.

    >>> whole("12.345"), whole("8l92"), whole("N/A")
    (12345, 8192, None)
    """
    if text is None:
        return None
    plain = text.strip().translate(_SLIPS)
    if _THOUSANDS.match(plain):
        plain = plain.replace(".", "").replace(",", "")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= 9 else None


def mib(text: str) -> int | None:
    """Return an amount that is written in MiB, and nothing for another unit or none.

    >>> mib("75417 MiB"), mib("73.6 GiB"), mib("16901...")
    (75417, None, None)
    """
    found = _MIB_ONLY.match(text)
    return whole(found[1]) if found else None


def mib_of_any_unit(text: str) -> int | None:
    """Return an amount in whole MiB from any binary unit; "MB" and "GB" of these tools mean MiB and GiB.

    >>> mib_of_any_unit("1.5 GiB"), mib_of_any_unit("12287 MB"), mib_of_any_unit("??")
    (1536, 12287, None)
    """
    found = _AMOUNT.match(text)
    if not found or len(found[1]) > 18:
        return None
    number, unit = found[1], found[2].upper()
    plain = number.replace(",", "") if _THOUSANDS.match(number) and "." not in number else number.replace(",", ".")
    if plain.count(".") > 1:
        plain = plain.replace(".", "")
    power = _UNITS[unit]
    return round(float(plain) * 2.0**power)


def leading_whole(text: str | None) -> int | None:
    """Return the whole number a cell begins with: "45 %" is 45."""
    found = _WHOLE.match(text or "")
    return int(found[1]) if found and len(found[1]) <= 9 else None


def leading_number(text: str | None) -> float | None:
    """Return the number a cell begins with: "66.84 W" is 66.84."""
    found = _FRACTION.match(text or "")
    return float(found[1]) if found and len(found[1]) <= 12 else None


def bus_id(text: str) -> str:
    """Return a bus id in upper case, OCR slips undone, without spaces."""
    return re.sub(r"\s", "", text).replace("o", "0").upper().replace("O", "0")
