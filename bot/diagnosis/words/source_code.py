"""Whether a message stands in the source of a program, which raises it or waits for it, and not in what a run printed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Line
from bot.reading.late import Late

_CODE = Late(
    r"^\s*[+-]?\s*(?:raise\s\w[\w.]*\(|(?:async\s)?def\s\w+\(|class\s\w+[(:]|with\s[\w.]+\([^\n]*:$|assert\s|@[\w.]+$)|^@@\s-\d|^diff\s--git\s|\bmatch=[rf]?[\"']"
)
_RAN = Late(r"\bTraceback\s\(|\bFile\s\"[^\"\n]{1,300}\",\sline\s\d|^\s*(?:[\w.]+\.)?\w*(?:Error|Exception):\s")
_IN_A_STRING = Late(
    r"\A\s*[+-]?\s*(?:[^\"'\n]{0,120}(?:\(|=|,|\sin)\s*)?[rfb]{0,2}[\"'][^\"'\n]{0,60}\Z",
)


def is_in_source(lines: Sequence[Line], before: Sequence[str]) -> bool:
    """Return whether all that was found stands in strings of a program's source, and no run is shown.

    Args:
        lines: The paste.
        before: What stands on its line before each thing that was found.
    """
    is_code = any(_CODE.regex.search(line.text) for line in lines)
    if not before or not is_code or any(line.level or _RAN.regex.search(line.text) for line in lines):
        return False
    return all(map(_IN_A_STRING.regex.match, before))
