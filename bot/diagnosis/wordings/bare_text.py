"""The text of a pattern outside its groups and brackets, seen without parsing it, which takes ten times as long."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"""
      (?P<text>[A-Za-z0-9\s,:;'"/@=!%&_<>-]+) | \\(?P<sign>[!-/:-@\[-`{-~])  # an escaped sign is that sign
    | (?P<edge>\\[bB])
    | (?P<open>\() | (?P<close>\)) | (?P<choice>\|)
    | (?P<repeat>[?*+] | \{\d*,?\d*\})                         # what stands before it may be missing
    | \\. | \[\^?\]?(?:\\.|[^\]\\])*\] | .
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


def bare_text(pattern: str) -> str:
    r"""Return the longest lower-case text that stands in whatever matches, "" where no text outside of groups is seen.

    White space in it is one space.

    >>> bare_text(r"(?:the )?sampler\.py with  (?P<n>\d+) reques?ts")
    'sampler.py with'
    """
    runs, depth = [""], 0
    for found in _PIECE.finditer(pattern):
        kind = found.lastgroup
        depth += (kind == "open") - (kind == "close")
        if (kind == "choice" and depth == 0) or depth < 0:
            return ""
        if depth or kind == "edge":
            continue
        if kind in {"text", "sign"}:
            runs[-1] += found[kind]
        elif runs[-1]:
            runs[-1:] = [runs[-1][:-1] if kind == "repeat" else runs[-1], ""]
    return max((" ".join(run.split()).lower() for run in runs), key=len)
