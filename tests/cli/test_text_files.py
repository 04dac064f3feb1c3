"""A file's text, whatever wrote it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from pathlib import Path

import pytest

from bot.cli.text_files import LONGEST_LINE, PackedError, as_text, lines_of


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_text_is_read_in_its_own_letters(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "log").write_text("größer\n", encoding=encoding)

    with (tmp_path / "log").open("rb") as kept, as_text(kept) as text:
        assert "größer\n" == text.read()


@pytest.mark.parametrize(
    ("content", "tool"),
    [
        (gzip.compress(b"log", mtime=0), "zcat"),
        (bz2.compress(b"log"), "bzcat"),
        (lzma.compress(b"log"), "xzcat"),
        (b"\x28\xb5\x2f\xfd....", "zstdcat"),
        (b"PK\x03\x04....", "unzip -p"),
    ],
)
def test_a_packed_file_names_what_unpacks_it(tmp_path: Path, content: bytes, tool: str) -> None:
    (tmp_path / "log").write_bytes(content)

    with (tmp_path / "log").open("rb") as kept, pytest.raises(PackedError) as told:
        as_text(kept)

    assert tool == told.value.tool


def test_a_line_without_end_comes_in_pieces() -> None:
    pieces = list(lines_of(io.StringIO("x" * (LONGEST_LINE + 1) + "\nlast")))

    assert [LONGEST_LINE, 2, 4] == list(map(len, pieces))
