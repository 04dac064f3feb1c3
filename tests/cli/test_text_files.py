"""Files that have an end, and their text, whatever wrote it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from bot.cli import text_files
from bot.cli.main import program
from bot.cli.text_files import LONGEST_LINE, PackedError, as_text, lines_of, open_file, read_whole, rows_of


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(text_files, "PATIENCE", 0.0)
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


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


def test_of_a_row_without_end_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "LONGEST_ROW", 4)

    assert ["one\n", "endl", "two"] == list(rows_of(io.StringIO("one\nendless row\ntwo")))


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_end_is_no_file(device: str) -> None:
    with pytest.raises(OSError, match="it is a device, no file"):
        open_file(Path(device))


def test_nothing_is_in_the_empty_device() -> None:
    assert b"" == read_whole(Path(os.devnull))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        open_file(tmp_path)


def test_a_pipe_that_nothing_writes_into_is_told(pipe: Path) -> None:
    with pytest.raises(OSError, match="a pipe that nothing writes into"):
        open_file(pipe)


def test_a_pipe_that_is_written_to_is_read_to_its_end(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "PATIENCE", 30.0)
    writer = Thread(target=pipe.write_bytes, args=(b"x" * 200_000,))
    writer.start()

    assert 200_000 == len(read_whole(pipe))
    writer.join()


def test_what_is_read_as_a_whole_has_a_most(tmp_path: Path) -> None:
    with (tmp_path / "config.json").open("wb") as file:
        file.truncate(text_files.MOST_READ + 1)

    with pytest.raises(OSError, match="larger than 16 MiB"):
        read_whole(tmp_path / "config.json")


@pytest.mark.parametrize(
    "arguments",
    [
        ("size", "qwen3-8b on L4", "--config"),
        ("ask",),
        ("ask", "--jsonl"),
        ("check",),
        ("team", "import", "--dry-run"),
    ],
)
def test_every_door_refuses_a_file_without_end(arguments: tuple[str, ...]) -> None:
    done = CliRunner().invoke(program, [*arguments, "/dev/zero"])

    assert (1, True) == (done.exit_code, "/dev/zero" in done.output)


@pytest.mark.parametrize(("name", "said"), [("log", "it is a device, no file"), ("runs.jsonl", "cannot read")])
def test_a_log_without_end_is_left_out_or_named(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).symlink_to("/dev/zero")

    assert said in CliRunner().invoke(program, ["calibrate", str(tmp_path / name), "--details"]).output
