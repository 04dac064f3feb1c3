"""Tables whose lines are not what was printed: broken at a width, or all on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from bot.reading.monitors.amounts import BUS_ID, MIB
from bot.reading.monitors.output import Row

_ROW_START = rf"""
      \s*[+|]?[-=]{{8,}}[-=+|\s]*                                        # rulers
    | \s(?=\|?\s?(?:NVIDIA-SMI|NVITOP|MIG[ ]devices:|Processes:|Compute[ ]processes:|GPU[ ]+Name|Fan[ ]+Temp))
    | [\s|](?=\|?\s*\d{{1,3}}\s+[A-Z][^|%/]{{1,40}}?\s(?:On|Off|N/A|WDDM|TCC|MCDM|ERR!)\s*\|?\s*{BUS_ID})   # a GPU
    | [\s|](?=\|?\s*(?:N/A|ERR!|\d{{1,3}}\s?%)\s+(?:N/A|ERR!|\d{{1,3}}C)\s+(?:N/A|ERR!|P\d+)\s)          # its figures
    | [\s|](?=\|?\s*\d{{1,3}}\s+\d{{1,3}}\s+\d{{1,3}}\s+\d{{1,3}}\s*\|?\s*\d{{1,7}}\s?{MIB}\s?/)                                          # a MIG device
"""
_PROCESS_START = r"[\s|](?=\|?\s*\d{1,3}\s+(?:N/A|\d{1,3})\s+(?:N/A|\d{1,3})\s+\d{1,10}\s+(?:C\+G|M\+C|C|G)\s+\S)"
_OLD_PROCESS_START = r"""
      [\s|](?=\|?\s*\d{1,3}\s+\d{1,10}\s+(?:C\+G|M\+C|C|G)\s+\S)
    | (?:(?<=MiB)|(?<=N/A))[\s|]+(?=\d{1,3}\s+\d{1,10}\s+(?:[^\s\d/]|\d{1,7}MiB))   # before types were printed
"""
_STARTS = re.compile(f"{_ROW_START} | {_PROCESS_START}", re.VERBOSE)
_OLD_STARTS = re.compile(f"{_ROW_START} | {_OLD_PROCESS_START}", re.VERBOSE)
_HAS_INSTANCES = re.compile(r"\bGI\s+CI\b")
_BLANKS = re.compile(r"\s{3,}")
_HAS_BUS_ID = re.compile(BUS_ID)
_HAS_MEMORY = re.compile(rf"\d\s?{MIB}\s?/")


def join_wrapped(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Join rows that a terminal or a mail client broke at a fixed width.

    A framed row ends in a bar. One that does not is continued by a line that does not begin with a bar; blanks that
    were lost at the break are put back.
    """
    rows = _dedent([row for row in rows if row.text.strip()])
    width = _wrap_width(rows)
    if width is None:
        return rows
    joined: list[Row] = []
    for row in rows:
        before = joined[-1] if joined else None
        if before is not None and _continues(before.text, row.text, width):
            joined[-1] = Row(before.number, before.text.ljust(width) + row.text)
        else:
            joined.append(row)
    return tuple(joined)


def _dedent(rows: Sequence[Row]) -> tuple[Row, ...]:
    indent = min((len(row.text) - len(row.text.lstrip()) for row in rows), default=0)
    return tuple(Row(row.number, row.text[indent:]) for row in rows)


def _wrap_width(rows: Sequence[Row]) -> int | None:
    """Return the width at which rulers were broken, or None when none was."""
    broken: dict[int, int] = {}
    for row, after in pairwise(rows):
        if _is_broken_ruler(row.text, after.text):
            broken[len(row.text)] = broken.get(len(row.text), 0) + 1
    return max(broken, key=lambda width: broken[width]) if broken else None


def _is_broken_ruler(text: str, after: str) -> bool:
    begins = text.lstrip()[:2] in {"+-", "|-", "|=", "+="}
    return begins and text[-1:] in {"-", "="} and after[-1:] in {"+", "|"} and not after.strip("-=+| ")


def _continues(before: str, text: str, width: int) -> bool:
    begins = before.lstrip()[:1]
    if begins not in {"|", "+"} or len(before) > width:
        return False
    start = text.lstrip()
    return start[:1] not in {"|", "+"} or start == "|"


def split_flattened(rows: Iterable[Row]) -> Iterable[Row]:
    """Yield rows, a whole table that stands on one line broken where its rows begin."""
    for row in rows:
        if len(row.text) > 200 and _HAS_BUS_ID.search(row.text) and _HAS_MEMORY.search(row.text):
            starts = _STARTS if _HAS_INSTANCES.search(row.text) else _OLD_STARTS
            yield from (Row(row.number, part) for part in starts.split(_BLANKS.sub("  ", row.text)) if part.strip())
        else:
            yield row
