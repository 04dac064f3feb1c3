"""Noise that is shaped like a table: frames redrawn, prefixes before bars, wrapped rows, all on one line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from bot.evidence import Line
from bot.reading.monitors.amounts import BUS_ID, MIB
from bot.reading.monitors.output import Row

_BOX = str.maketrans(
    {
        **dict.fromkeys("│┃║¦￤❘∣╎╏┆┇┊┋", "|"),
        **dict.fromkeys("─━╌╍┄┅┈┉–—―‐‑‒", "-"),
        **dict.fromkeys("═", "="),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬╭╮╯╰┏┓┗┛┣┫┳┻╋", "+"),
        "…": "...",
        "\u00a0": " ",
    }
)
_RULER = re.compile(r"[+|][-=]{3,}|[-=]{8,}[+|]")
_ONLY_FRAME = re.compile(r"[-+=|_\s.`'\"~]*\Z")
_COMMENT = re.compile(r"\s*(?:#|//|\*|--|;|rem)\s(?=\s*[+|])", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*(\d{1,6})(?:[:.|)\t]|\s)\s?")
_HEADING = re.compile(rf"{_RULER.pattern}|\bNVIDIA-SMI\b|\b(?:Name|GPU|index|name|uuid|pid)\b")
_JSON_LINE = re.compile(r"\s*\"(.*?)(?:\\n)?\",?\s*\Z")
_ESCAPED = re.compile(r"(?:\\r)?\\n")


def read_rows(lines: Iterable[Line]) -> tuple[Row, ...]:
    """Return the rows of lines: frame characters as ASCII, escapes and prefixes undone; nothing is joined yet."""
    rows = [row for line in lines for row in _unescape(line.number, line.message)]
    rows = _cut_numbering(rows)
    return tuple(_cut_frame_prefix(rows))


def _unescape(number: int, text: str) -> Iterable[Row]:
    if not text.isascii():
        text = text.translate(_BOX)
    if "\\" in text or text[-2:] in ('",', '"') or text[-1:] == '"':
        found = _JSON_LINE.match(text)
        text = found[1] if found else text
    if "\\n" in text and ("|" in text or "MiB" in text):
        return [Row(number, part) for part in _ESCAPED.split(text)]
    if text[:1] == "`" or text[-1:] == "`":
        text = text.strip("`")
    return [Row(number, _COMMENT.sub("", text, count=1) if text else text)]


def _cut_numbering(rows: Sequence[Row]) -> list[Row]:
    """Cut line numbers that an editor put before each line; they count up by one over a heading, unlike GPU indexes."""
    starts = [_NUMBERED.match(row.text) for row in rows]
    kept = list(rows)
    first = 0
    for place in range(1, len(rows) + 1):
        before, start = starts[place - 1], starts[place] if place < len(rows) else None
        if before and start and int(start[1]) == int(before[1]) + 1:
            continue
        rest = [
            Row(row.number, row.text[s.end() :])
            for row, s in zip(rows[first:place], starts[first:place], strict=True)
            if s
        ]
        if len(rest) >= 4 and any(_HEADING.search(row.text) for row in rest):
            kept[first:place] = rest
        first = place
    return kept


def _cut_frame_prefix(rows: Sequence[Row]) -> Iterable[Row]:
    """Cut what stands before the rulers of a table from every line that begins alike, digits aside."""
    shapes = _prefix_shapes(rows)
    for row in rows:
        text = row.text
        for shape in shapes:
            found = shape.match(text)
            if found:
                text = text[found.end() :]
                break
        yield Row(row.number, text)


def _prefix_shapes(rows: Sequence[Row]) -> tuple[re.Pattern[str], ...]:
    shapes: dict[str, int] = {}
    for row in rows:
        found = _RULER.search(row.text)
        prefix = row.text[: found.start()] if found else ""
        if prefix.strip() and len(prefix) <= 120 and not set(prefix.strip()) <= set("-=+| "):
            shape = re.sub(r"\\?\s+", r"\\s+", re.sub(r"\d+", r"\\d+", re.escape(prefix.strip())))
            shapes[shape] = shapes.get(shape, 0) + 1
        elif prefix.strip() == "+":
            shapes[r"\+(?=[+|A-Z])"] = 2
    often = [shape for shape, count in shapes.items() if count > 1]
    return tuple(re.compile(rf"\s*{shape}\s?") for shape in often[:8])


def join_wrapped(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Join rows that a terminal or a mail client broke at a fixed width.

    A framed row ends in a bar. One that does not is continued by a line that does not begin with a bar; blanks that
    were lost at the break are put back.
    """
    width = _wrap_width(rows)
    if width is None:
        return tuple(rows)
    joined: list[Row] = []
    for row in rows:
        before = joined[-1] if joined else None
        if before is not None and _continues(before.text, row.text, width):
            joined[-1] = Row(before.number, before.text.ljust(width) + row.text)
        else:
            joined.append(row)
    return tuple(joined)


def _wrap_width(rows: Sequence[Row]) -> int | None:
    """Return the width at which rulers were broken, or None when none was."""
    broken: dict[int, int] = {}
    for row, after in itertools.pairwise(rows):
        text = row.text
        if (
            text[:2] in {"+-", "|-", "|=", "+="}
            and text[-1:] in "-="
            and after.text[-1:] in "+|"
            and after.text.strip("-=+| ") == ""
        ):
            broken[len(text)] = broken.get(len(text), 0) + 1
    return max(broken, key=lambda width: broken[width]) if broken else None


def _continues(before: str, text: str, width: int) -> bool:
    is_open = before[:1] in "|+" and before[:1] != "" and not (before[-1:] in "|+" and len(before) > width)
    if not is_open or len(before) > width or text[:1] == "+":
        return False
    return text[:1] != "|" or text.strip() == "|"


_ROW_START = re.compile(
    rf"""
    \s*[+|]?[-=]{{8,}}[-=+|\s]*                                        # rulers
    | \s(?=\|?\s?(?:NVIDIA-SMI|NVITOP|MIG[ ]devices:|Processes:|Compute[ ]processes:|GPU[ ]+Name|Fan[ ]+Temp))
    | [\s|](?=\|?\s*\d{{1,3}}\s+[A-Z][^|%/]{{1,40}}?\s(?:On|Off|N/A|WDDM|TCC|MCDM|ERR!)\s*\|?\s*{BUS_ID})   # a GPU
    | [\s|](?=\|?\s*(?:N/A|ERR!|\d{{1,3}}\s?%)\s+(?:N/A|ERR!|\d{{1,3}}\s?C)\s+(?:N/A|ERR!|P\d+)\s)          # its figures
    | [\s|](?=\|?\s*\d+\s+\d+\s+\d+\s+\d+\s*\|?\s*\d+\s?{MIB}\s?/)                                          # a MIG device
    | [\s|](?=\|?\s*\d{{1,3}}\s+(?:N/A|\d+)\s+(?:N/A|\d+)\s+\d+\s+(?:C\+G|M\+C|C|G)\s+\S)                   # a process
    """,
    re.VERBOSE,
)
_HAS_BUS_ID = re.compile(BUS_ID)
_HAS_MEMORY = re.compile(rf"\d\s?{MIB}\s?/")


def split_flattened(rows: Iterable[Row]) -> Iterable[Row]:
    """Yield rows, a whole table that stands on one line broken where its rows begin."""
    for row in rows:
        if len(row.text) > 200 and _HAS_BUS_ID.search(row.text) and _HAS_MEMORY.search(row.text):
            yield from (Row(row.number, part) for part in _ROW_START.split(row.text) if part.strip())
        else:
            yield row


def is_frame(text: str) -> bool:
    """Return whether a line holds nothing but rulers and bars."""
    return _ONLY_FRAME.match(text) is not None


def flatten(text: str) -> str:
    """Return a row without bars, each run of blanks as one.

    >>> flatten("|   0  Tesla T4    Off  | 00000000:00:04.0 Off |")
    '0 Tesla T4 Off 00000000:00:04.0 Off'
    """
    return " ".join(text.replace("|", " ").split())
