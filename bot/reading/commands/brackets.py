"""What stands between brackets that go on over lines, and the literals that names stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import Line

LONGEST_CALL = 6_000
LONGEST_LINE = 4_000
_ASSIGNMENT = re.compile(
    r"\s{0,12}(?:>>> )?([A-Za-z_]\w{0,60})\s?(?::\s?\w{1,20}\s?)?=\s?(['\"][^'\"]{1,300}['\"]|\d[\d_.]{0,20}|True|False)\s*(?:#.*)?\Z"
)


def take_inside(lines: Sequence[Line], place: int, start: int) -> str:
    """Return what stands between the call's parentheses, as far as the paste shows it."""
    parts = [lines[place].message[start:]]
    depth, length = _depth(parts[0]), len(parts[0])
    for line in lines[place + 1 : place + 60]:
        if depth < 0 or length > LONGEST_CALL:
            break
        parts.append(line.message.removeprefix("... "))
        depth, length = _depth(parts[-1], depth), length + len(parts[-1])
    text = "\n".join(parts)
    return text[:LONGEST_CALL]


def _depth(text: str, depth: int = 0) -> int:
    """Return how many brackets are open behind a text; below zero once the call's own parenthesis has closed."""
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return depth
    return depth


def read_literals(lines: Sequence[Line]) -> dict[str, str]:
    """Return the literals that names stand for."""
    found: dict[str, str] = {}
    for line in lines:
        if "=" in line.text and len(line.text) < 400 and (pair := _ASSIGNMENT.match(line.message)):
            found[pair[1]] = pair[2]
    return found
