"""What is left for later starts, and what of it is believed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.catalog.user_cache import MOST_BYTES, read_cached, write_cached


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where what is called so lies."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "vllm-triage" / "folder" / "name"


def leave(content: bytes = b"left") -> None:
    write_cached(content, "folder", "name")


def left() -> bytes | None:
    return read_cached("folder", "name")


def test_what_was_left_is_there_for_this_user_alone(place: Path):
    leave()

    assert b"left" == left()
    assert 0o600 == place.stat().st_mode & 0o777


def test_what_is_older_than_it_may_be_is_not_there(place: Path):
    leave()
    os.utime(place, (1_000, 1_000))

    assert read_cached("folder", "name", since=1_001) is None
    assert b"left" == read_cached("folder", "name", since=1_000)


def a_pipe(place: Path) -> None:
    os.mkfifo(place)


def a_link(place: Path) -> None:
    """One to what is whole, and this user's: of a name that others chose."""
    leave()
    place.symlink_to(place.rename(place.with_name("elsewhere")))


def what_others_write(place: Path) -> None:
    leave()
    place.chmod(0o622)


def what_has_no_end(place: Path) -> None:
    place.touch()
    os.truncate(place, MOST_BYTES + 1)


@pytest.mark.parametrize("plant", [a_pipe, a_link, what_others_write, what_has_no_end, Path.mkdir])
def test_what_somebody_planted_is_not_believed(place: Path, plant: Callable[[Path], None]):
    place.parent.mkdir(parents=True)
    plant(place)

    assert left() is None


@pytest.mark.parametrize("changed", [b"", b"left", b"l3ft"])
def test_what_is_not_as_it_was_left_is_not_believed(place: Path, changed: bytes):
    leave()
    place.write_bytes(place.read_bytes().removesuffix(b"left") + changed)

    assert (b"left" if changed == b"left" else None) == left()


def test_what_another_user_left_is_not_believed(place: Path, monkeypatch: pytest.MonkeyPatch):
    leave()
    monkeypatch.setattr(os, "geteuid", lambda: place.stat().st_uid + 1)

    assert left() is None


def test_a_link_in_the_way_leads_to_no_file_of_another(place: Path):
    place.parent.mkdir(parents=True)
    (precious := place.with_name("precious")).write_bytes(b"precious")
    place.with_name(f"name.{os.getpid()}").symlink_to(precious)
    leave()

    assert b"precious" == precious.read_bytes()


def test_what_could_not_be_put_in_place_is_taken_away(place: Path):
    place.mkdir(parents=True)
    leave()

    assert ["name"] == [each.name for each in place.parent.iterdir()]


def test_a_user_without_a_home_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 4_294_967_000)  # of whom no list of users knows
    monkeypatch.chdir(tmp_path)
    leave()

    assert left() is None
    assert [] == list(tmp_path.iterdir())
