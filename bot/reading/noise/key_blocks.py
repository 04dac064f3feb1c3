"""Private keys in blocks of lines: whole, or with their beginning or end left off."""

from __future__ import annotations

import re

from bot.reading.late import Late

KEY_BLOCK = Late(
    r"""-----BEGIN\ [A-Z ]{0,30}PRIVATE\ KEY(?:\ BLOCK)?-----(?:
          (?:(?!-----)[\s\S]){0,20000}-----END\ [A-Z ]{0,30}PRIVATE\ KEY(?:\ BLOCK)?-----
        | [^-\n]{0,20000}(?:\n[ \t>|]{0,16}[A-Za-z0-9+/=]{16,200}(?=\s|\Z)){0,400})      # its end is missing
      | ^[ \t>|]{0,16}[A-Za-z0-9+/=]{16,200}[ \t]{0,4}\n(?:[ \t>|]{0,16}[A-Za-z0-9+/=]{4,200}[ \t]{0,4}\n){0,100}
        [ \t>|]{0,16}-----END\ [A-Z ]{0,30}PRIVATE\ KEY(?:\ BLOCK)?-----                 # its beginning is
      | ^Private-Lines:\ \d{1,3}\n(?:[A-Za-z0-9+/=]{4,200}\n){1,100}""",  # of PuTTY
    re.VERBOSE | re.MULTILINE,
)


def hide_block(found: re.Match[str]) -> str:
    """Return what stands instead of a key, on as many lines."""
    return "<private key>" + "\n" * found[0].count("\n")
