"""Name and value pairs in printed Python objects: dictionaries, namespaces, configurations; torn ones too."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_VALUE = 8_000
MOST_CUT = 12
"""Values without an end after which the rest is given up: each is searched for its end."""

_NAME = re.compile(r"(?<![\w.'\"-])(?:'(\w{2,60})'\s*:|\"(\w{2,60})\"\s*:|(\w{2,60})\s*=(?!=))\s*")
_OPENING, _CLOSING = "([{", ")]}"


def read_pairs(text: str, start: int = 0) -> Iterator[tuple[str, str]]:
    """Yield (name, raw value) at the top level of a printed object; a value that is cut off is left out.

    >>> list(read_pairs("model='m', dtype=torch.float16, limits={'a': 1}"))
    [('model', "'m'"), ('dtype', 'torch.float16'), ('limits', "{'a': 1}")]
    """
    place, cut = start, 0
    while cut < MOST_CUT and (found := _NAME.search(text, place)):
        value, place = _read_value(text, found.end())
        if value is None:
            cut += 1
        elif value:
            yield found[1] or found[2] or found[3], value


def _read_value(text: str, start: int) -> tuple[str | None, int]:
    """Return the value that begins at `start`, None if it is cut off, and the place behind it."""
    end = _end_of_value(text, start)
    if end is None:
        return None, start + 1
    value = text[start:end].strip()
    is_cut = end == len(text) and value[-1:] not in "'\"" + _CLOSING and value not in {"True", "False", "None"}
    return (None if is_cut else value), end


def _end_of_value(text: str, start: int) -> int | None:
    """Return where a value ends: at the comma or bracket that closes it. Quotes and brackets inside are skipped."""
    depth, quote = 0, ""
    for place in range(start, min(len(text), start + LONGEST_VALUE)):
        letter = text[place]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _OPENING:
            depth += 1
        elif (letter in _CLOSING or letter == ",") and depth == 0:
            return place
        elif letter in _CLOSING:
            depth -= 1
    return len(text) if len(text) <= start + LONGEST_VALUE and not depth and not quote else None
