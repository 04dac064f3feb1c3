"""Characters that nobody sees, and that keep what stands among them from being recognised."""

from __future__ import annotations

import re

ANSI = re.compile(
    r"""\x1b(?:
        \[[0-?]*[ -/]*[@-~]        # control sequences: colours, cursor
      | \][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)?  # operating system commands: titles, links
      | [@-Z\\-_]                  # two-character escapes
    )""",
    re.VERBOSE,
)
INVISIBLE: dict[int, str | None] = str.maketrans(
    {
        **dict.fromkeys(
            "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
        ),
        **dict.fromkeys(
            "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        ),
        **{code: None for code in range(32) if chr(code) not in "\t\n\r"},
        "\x0b": " ",  # a tab downwards and a new page part words, as every shell and terminal has it
        "\x0c": " ",
        "\x7f": None,
    }
)
"""Spaces of every width become one kind; marks without width and control characters go."""

_SIGN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def without_invisible(text: str) -> str:
    r"""Return the text without escape sequences and characters that have no looks; every line stays one.

    >>> without_invisible("hf_ab\x1b[0mcd\u200bef\x00gh")
    'hf_abcdefgh'
    """
    if "\x1b" in text:
        text = ANSI.sub("", text)
    return text if text.isascii() and not _SIGN.search(text) else text.translate(INVISIBLE)
