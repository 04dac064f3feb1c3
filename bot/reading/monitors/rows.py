"""Rows of a paste without what surrounds them: redrawn frames, string escapes, line numbers, unknown prefixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.evidence import Line
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
_ONLY_FRAME = re.compile(r"[-+=|_\s.`'\"~]*\Z")
_JSON_LINE = re.compile(r"\s*\"(.*?)(?:\\n)?\"\s*[,}\]]{0,3}\Z")
_JSON_START = re.compile(r"\s*[{,]?\s*\"[\w.-]{1,40}\"\s*:\s*\"")
_ESCAPED_END = re.compile(r"(?<!\\)(?:\\r)?\\n")
_ROW_BEHIND_END = re.compile(r"(?<!\\)\\n(?=[|+\s\\\d\[<#\"A-Z]|\Z)")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\([t\"\\/])")
_LOST_BAR = re.compile(r"(?:(?<=\s)|\A)[Il!\]\[](?=\s|\Z)")
_RULER = r"[+|][-=]{3,}|[-=]{8,}[+|]|={10,}"
_ANCHORS = (
    _RULER,
    r"\|?\s*(?:NVIDIA-SMI\s\d|GPU\s+Name\s|Fan\s+Temp\s|Processes:|GPU\s+(?:GI|PID)\s|MIG devices:)",  # tables
    r"(?:index|name|uuid|timestamp|pid|count|driver_version|gpu_\w+|(?:memory|utilization|pci)\.\w+)(?:\s\[\S+\])?,\s?[a-z]",
    r"\d{1,2},\s?(?:NVIDIA|Tesla|GeForce)\s",  # sheets
    r"GPU\s\d{1,2}:\s[A-Z]|GPU\s[0-9A-Fa-f]{8}:",  # lists and reports
    r"#?\s*gpu\s+(?:pid|pwr|fb|sm|temp|gtemp)\b|#\s*(?:Idx|Date|Time|YYYYMMDD|HH:MM:SS)\s",  # monitors
    r"GPU\d{1,2}\s+(?:X|NV\d+|SYS|NODE|PHB|PXB|PIX|OK)\s",
    r"\[\d{1,2}\]\s[A-Z]",
    r"GPU\[\d|GPU:\s\d|GPU\s+(?:POWER|XCP|Temp)\b|Device\s+\[Model",  # AMD's tools
)
"""How the first cell of a row or a heading begins, in every format: what stands before it is a prefix."""
_ANCHOR = re.compile("|".join(_ANCHORS))
LONGEST_PREFIX = 120
"""Characters that a log collector's prefix may have."""
MOST_PARTS = 1500
"""Rows that one line may hold as a string; a report of a GPU has about 300."""
MOST_SHAPES = 8
"""Kinds of prefixes that one paste may mix."""


def read_rows(lines: Iterable[Line]) -> tuple[Row, ...]:
    """Return the rows of lines: frame characters as ASCII, escapes and prefixes undone; nothing is joined yet."""
    rows = [row for line in lines for row in _unescape(line.number, line.message)]
    return tuple(_cut_prefix(_cut_signs(rows)))


def _unescape(number: int, text: str) -> Iterable[Row]:
    """Yield the rows of a line: more than one when it is a string of a program, with its line ends spelt out."""
    if not text.isascii():
        text = text.translate(_BOX)
    opened = _JSON_START.match(text) if "\\n" in text else None
    if opened:
        text = '"' + text[opened.end() :]
    quoted = _JSON_LINE.match(text) if '"' in text[-4:] else None
    if quoted:
        text = quoted[1]
    if quoted or ("\\n" in text and len(_ROW_BEHIND_END.findall(text)) > 1):
        text = text.rstrip('"}] ') if not quoted else text
        return [
            Row(number, _ESCAPED.sub(_spell, part)) for part in _ESCAPED_END.split(text, MOST_PARTS) if part.strip()
        ]
    if text[:1] == "`" or text[-1:] == "`":
        text = text.strip("`")
    if "|" not in text and len(_LOST_BAR.findall(text)) > 1:
        text = _LOST_BAR.sub("|", text)
    return [Row(number, text)]


def _spell(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16)).translate(_BOX)
    return "\t" if found[2] == "t" else found[2]


def _cut_signs(rows: Sequence[Row]) -> Sequence[Row]:
    """Cut the sign of a diff: of a table only the rulers begin with one, of a diff every line."""
    filled = [row for row in rows if row.text.strip()]
    signed = sum(row.text[0] == "+" for row in filled)
    if signed < 2 or signed * 4 < len(filled) * 3:
        return rows
    return [Row(row.number, row.text.removeprefix("+")) for row in rows]


def _cut_prefix(rows: Sequence[Row]) -> Iterable[Row]:
    """Cut what stands before rulers and headings from every line that begins alike, digits aside."""
    shapes = _prefix_shapes(rows)
    for row in rows:
        starts = (shape.match(row.text) for shape in shapes)
        start = next((start for start in starts if start), None)
        yield Row(row.number, row.text[start.end() :]) if start else row


def _prefix_shapes(rows: Sequence[Row]) -> tuple[re.Pattern[str], ...]:
    shapes: dict[str, int] = {}
    for row in rows:
        found = _ANCHOR.search(row.text[: LONGEST_PREFIX + 40])
        prefix = row.text[: found.start()].strip() if found else ""
        is_command = "--query" in prefix  # the columns that it asks for are no heading
        is_short = not is_command and len(prefix) <= LONGEST_PREFIX and ", " not in prefix
        if prefix.strip("|+= ") and is_short and prefix[-1] != ",":
            shape = re.sub(r"(?:\\?\s)+", r"\\s+", re.sub(r"\d+", r"\\d+", re.escape(prefix)))
            shapes[shape] = shapes.get(shape, 0) + 1
    patterns = [re.compile(rf"\s*{shape}\s?") for shape in list(shapes)[: 4 * MOST_SHAPES]]
    return tuple(pattern for pattern in patterns if _is_common(pattern, rows))[:MOST_SHAPES]


def _is_common(pattern: re.Pattern[str], rows: Sequence[Row]) -> bool:
    """Return whether at least two rows begin so; one alone is part of what the row says."""
    starts = (row for row in rows if pattern.match(row.text))
    next(starts, None)
    return next(starts, None) is not None


def is_frame(text: str) -> bool:
    """Return whether a line holds nothing but rulers and bars."""
    return _ONLY_FRAME.match(text) is not None


def flatten(text: str) -> str:
    """Return a row without bars, each run of blanks as one.

    >>> flatten("|   0  Tesla T4    Off  | 00000000:00:04.0 Off |")
    '0 Tesla T4 Off 00000000:00:04.0 Off'
    """
    return " ".join(text.replace("|", " ").split())
