"""Private keys in blocks of lines: whole, or with their beginning or end left off."""

from __future__ import annotations

import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind

_NAME = r"[A-Z ]{0,30}?PRIVATE\ KEY(?:\ BLOCK)?-----"
_MARGIN = r"[ \t>|]{0,16}"
_LINES = rf"{_MARGIN}[A-Za-z0-9+/=]{{16,200}}+[ \t]{{0,4}}\n(?:{_MARGIN}[A-Za-z0-9+/=]{{4,200}}+[ \t]{{0,4}}\n)*+"


def _hide_block(found: re.Match[str]) -> str:
    """Return what stands instead of a key, on as many lines."""
    return "<private key>" + "\n" * found[0].count("\n")


def _hide_ended(found: re.Match[str]) -> str:
    """Return the same for lines of a key's letters, if they end as a key does."""
    return _hide_block(found) if found["end"] else found[0]


KEY_BLOCKS = (
    Kind(
        "a private key, the end of which may be missing",
        ("-----BEGIN ",),
        Late(
            rf"""-----BEGIN\ {_NAME}(?:
                  (?:[^-]++|-(?!----))*+-----END\ {_NAME}
                | [^-\n]*+(?:\n{_MARGIN}[A-Za-z0-9+/=]{{16,200}}+(?=\s|\Z))*+)""",
            re.VERBOSE,
        ),
        _hide_block,
    ),
    Kind(
        "a private key whose beginning is missing",
        ("-----END ",),
        Late(rf"^{_LINES}(?P<end>{_MARGIN}-----END\ {_NAME})?", re.VERBOSE | re.MULTILINE),
        _hide_ended,
    ),
    Kind(
        "a private key of PuTTY",
        ("Private-Lines",),
        Late(r"Private-Lines: \d{1,3}\n(?:[A-Za-z0-9+/=]{4,200}\n)++"),
        _hide_block,
    ),
)
