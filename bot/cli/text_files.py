"""A file's text, whatever wrote it; in lines of bounded length, however long its own are."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from typing import IO

LONGEST_LINE = 1 << 20
"""Characters; a file that is all one line, such as one of zeros, is read in pieces of it."""

_PACKED = {
    b"\x1f\x8b": "zcat",
    b"BZh": "bzcat",
    b"\xfd7zXZ\x00": "xzcat",
    b"\x28\xb5\x2f\xfd": "zstdcat",
    b"PK\x03\x04": "unzip -p",
}


class PackedError(Exception):
    """The file is compressed; `tool` unpacks it to its standard output."""

    def __init__(self, tool: str) -> None:
        super().__init__(f"compressed; unpack it with {tool}")
        self.tool = tool


def as_text(kept: io.BufferedReader) -> io.TextIOWrapper:
    """Return a file's text: UTF-8, or UTF-16 as PowerShell writes what it redirects.

    Raises:
        PackedError: The file is compressed.
    """
    start = kept.peek(8)[:8]
    for mark, tool in _PACKED.items():
        if start.startswith(mark):
            raise PackedError(tool)
    encoding = "utf-16" if start[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE} else "utf-8"
    return io.TextIOWrapper(kept, encoding=encoding, errors="replace")


def lines_of(text: IO[str]) -> Iterator[str]:
    """Yield the lines of a text, those that are too long in pieces."""
    while line := text.readline(LONGEST_LINE):
        yield line
