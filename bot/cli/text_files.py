"""Files that have an end, and their text, whatever wrote it; in lines of bounded length, however long their own are."""

from __future__ import annotations

import codecs
import errno
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

LONGEST_LINE = 1 << 20
"""Characters; a file that is all one line, such as one of zeros, is read in pieces of it."""

LONGEST_ROW = 1 << 26
"""Characters of a line of JSON, which may hold a whole log."""

MOST_READ = 1 << 24
"""Bytes of a file that is read as a whole, such as a config.json: the largest have a tenth of it."""

PATIENCE = 30.0
"""Seconds until what writes into a pipe has begun."""

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


def open_file(path: Path) -> io.BufferedReader:
    """Open a file to read it; a pipe, once something writes into it.

    Raises:
        OSError: It cannot be opened, is no file, has no end, or is a pipe that nothing writes into.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        _wait_for_a_writer(descriptor)
        refuse_endless(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def _wait_for_a_writer(descriptor: int) -> None:
    if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        import select

        if not select.select([descriptor], [], [], PATIENCE)[0]:
            raise OSError(errno.ETIMEDOUT, "it is a pipe that nothing writes into")


def refuse_endless(descriptor: int) -> None:
    """Refuse to read what never ends: a device that is neither a terminal nor empty.

    Raises:
        OSError: It is such a device, or a folder.
    """
    state = os.fstat(descriptor)
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    is_device = stat.S_ISCHR(state.st_mode) or stat.S_ISBLK(state.st_mode)
    if is_device and not os.isatty(descriptor) and not os.path.samestat(state, Path(os.devnull).stat()):
        raise OSError(errno.EINVAL, "it is a device, no file")


def read_whole(path: Path, most: int = MOST_READ) -> bytes:
    """Return what is in a file.

    Raises:
        OSError: It cannot be read, or holds more than `most` bytes.
    """
    with open_file(path) as kept:
        return read_to_its_end(kept, most)


def read_to_its_end(kept: IO[bytes], most: int = MOST_READ) -> bytes:
    """Return what is in a file or stream that is open.

    Raises:
        OSError: It holds more than `most` bytes.
    """
    content = kept.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB")
    return content


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


def rows_of(text: IO[str]) -> Iterator[str]:
    """Yield the lines of a text of JSON; of one that is too long only the beginning."""
    while line := text.readline(LONGEST_ROW):
        yield line
        while len(line) == LONGEST_ROW and not line.endswith("\n"):
            line = text.readline(LONGEST_ROW)
