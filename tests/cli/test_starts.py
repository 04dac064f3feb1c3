"""Which starts of vLLM are calibrated with, whatever lies in their folders."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from bot.cli.starts import Start, complaints, starts
from bot.consult import Notes


def names(*paths: Path) -> list[str]:
    return [start.name for start in starts(paths, {})]


def test_a_folders_logs_are_named_from_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for log in ("one.log", "sub/one.log"):
        (tmp_path / log).touch()

    assert ["one.log", "sub/one.log"] == names(tmp_path)


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    logs = [tmp_path / folder / "one.log" for folder in ("a", "b")]
    for log in logs:
        log.parent.mkdir()
        log.touch()

    assert list(map(str, logs)) == names(*logs)


def test_what_links_and_loops_lead_to_counts_once(tmp_path: Path) -> None:
    (tmp_path / "one.log").touch()
    (tmp_path / "two.log").symlink_to(tmp_path / "one.log")
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "gone.log").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.log")

    assert ["one.log"] == names(tmp_path)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder with a log below more folders than Python has calls; they are taken away one by one, as nothing else can."""
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=place)
        place, above = os.open("d", os.O_RDONLY, dir_fd=place), place
        os.close(above)
    os.close(os.open("deep.log", os.O_CREAT, dir_fd=place))
    os.close(place)
    yield tmp_path
    first, second = tmp_path / "d", tmp_path / "e"
    while (first / "d").is_dir():
        (first / "d").rename(second)
        first.rmdir()
        second.rename(first)


def test_folders_in_folders_have_no_end(deep: Path) -> None:
    assert ["d/" * 1200 + "deep.log"] == names(deep)


def test_a_folder_that_cannot_be_read_is_told_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("closed", "open"):
        (tmp_path / folder).mkdir()
    (tmp_path / "open" / "one.log").touch()
    listing = Path.iterdir

    def refuse(self: Path) -> Iterator[Path]:
        if self.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listing(self)

    monkeypatch.setattr(Path, "iterdir", refuse)

    found = list(starts([tmp_path], {}))
    assert Start("closed", because="cannot be read", detail="Permission denied") == found[0]
    assert ["closed", "open/one.log"] == [start.name for start in found]


@pytest.mark.parametrize(
    "notes",
    [b"[]", b"{", b"[" * 200_000, b"\xff\xfe\x00", b"5", b"1" * 5000, b"NaN", b'{"gpu": "' + b"L" * (1 << 20) + b'"}'],
)
def test_notes_that_cannot_be_read_are_one_sentence(tmp_path: Path, notes: bytes) -> None:
    (tmp_path / "one.log").touch()
    (tmp_path / "one.json").write_bytes(notes)

    with pytest.raises(click.ClickException, match="wanted one object of facts"):
        list(starts([tmp_path], {}))


@pytest.mark.parametrize(
    "line",
    [
        "[" * 200_000,
        "{",
        "[]",
        '{"file": "a\\u0000.log"}',
        '{"file": 5}',
        '{"file": ["a.log"]}',
        '{"facts": [1]}',
        '{"logged": "many"}',
        '{"facts": ' + "1" * 5000 + "}",
    ],
)
def test_a_line_that_is_no_start_is_one_sentence_with_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "runs.jsonl").write_text(f'{{"id": "good"}}\n\n{line}\n')

    with pytest.raises(click.ClickException, match=r"runs.jsonl:3: wanted an object with"):
        list(starts([tmp_path / "runs.jsonl"], {}))


def test_a_line_ends_where_its_file_says(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl").write_text('{"id": "one\u2028two\x85"}\n', encoding="utf-8")

    assert ["one\u2028two\x85"] == names(tmp_path / "runs.jsonl")


@pytest.mark.parametrize("odd", ["sub", "pipe"])
def test_a_listed_place_that_is_no_file_is_told(tmp_path: Path, odd: str) -> None:
    (tmp_path / "sub").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "runs.jsonl").write_text(json.dumps({"file": odd}))

    (start,) = starts([tmp_path / "runs.jsonl"], {})
    assert (odd, "it is no file") == (start.name, start.detail)


@pytest.mark.parametrize(
    ("facts", "logged", "sentence"),
    [
        ({"max_model_len": "long"}, {}, "'long' is no whole number"),
        ({"max_model_len": [1, 2]}, {}, "is no whole number"),
        ({"gpu_memory": {"of": "it"}}, {}, "of"),
        ({"vllm_version": 5}, {}, ""),
        ({}, {"weights_gib": "many"}, "is no such figure"),
        ({}, {"parrots": 5}, "no figure of a log that I know"),
    ],
)
def test_notes_of_another_kind_are_told(facts: dict[str, Any], logged: dict[str, Any], sentence: str) -> None:
    assert sentence in "".join(complaints(Notes(facts, {}, logged)))
