"""What was parsed before is not parsed again, and never outlives its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.catalog import parsed, yaml_text
from bot.catalog.load import load_knowledge, load_lazily
from bot.catalog.parsed import Parsed
from bot.catalog.places import KNOWLEDGE
from bot.catalog.user_cache import write_cached


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(Parsed, "leaves_traces", True)
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.yaml"
    path.write_text("since: 0.10\nnames: [no, ö]\n", encoding="utf-8")
    return path


@pytest.fixture
def kept(file: Path) -> Path:
    store = Parsed("folder")
    store.content(file)
    store.keep()
    return file


def refuse_to_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr(yaml_text, "read_yaml_text", refuse)


def test_a_text_is_parsed_once(kept: Path, monkeypatch: pytest.MonkeyPatch):
    refuse_to_parse(monkeypatch)

    assert {"since": "0.10", "names": ["no", "ö"]} == Parsed("folder").content(kept)


def test_another_text_is_parsed(kept: Path):
    kept.write_text("since: 0.11\n")

    assert {"since": "0.11"} == Parsed("folder").content(kept)


def test_what_is_kept_already_is_not_written_again(kept: Path, cache: Path):
    before = next(cache.rglob("folder.kept")).stat().st_ino
    store = Parsed("folder")
    store.content(kept)
    store.keep()

    assert before == next(cache.rglob("folder.kept")).stat().st_ino


def test_what_is_no_longer_used_is_forgotten(kept: Path, cache: Path):
    before = next(cache.rglob("folder.kept")).read_bytes()
    kept.write_text("since: 0.11\n")
    store = Parsed("folder")
    store.content(kept)
    store.keep()

    assert b"0.10" in before
    assert b"0.10" not in next(cache.rglob("folder.kept")).read_bytes()


def test_one_more_text_is_kept_beside_the_others(kept: Path, cache: Path):
    kept.with_name("b.yaml").write_text("since: 0.12\n")
    store = Parsed("folder")
    store.content(kept.with_name("b.yaml"))
    store.keep_too()

    assert [True, True] == [each in next(cache.rglob("folder.kept")).read_bytes() for each in (b"0.10", b"0.12")]


def test_a_problem_that_is_read_by_itself_is_parsed_once(monkeypatch: pytest.MonkeyPatch):
    first = load_lazily().problems["kv-cache-no-memory"]
    refuse_to_parse(monkeypatch)

    assert first == load_lazily().problems["kv-cache-no-memory"]


@pytest.mark.parametrize("rubbish", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_a_cache_that_cannot_be_read_is_left_alone(kept: Path, rubbish: bytes):
    write_cached(rubbish, "knowledge", "folder.kept")

    assert {"since": "0.10", "names": ["no", "ö"]} == Parsed("folder").content(kept)


def test_a_cache_that_cannot_be_written_is_no_failure(file: Path, cache: Path):
    cache.write_text("a file where a folder should be")
    store = Parsed("folder")

    assert store.content(file)
    assert store.keep() is None


def test_a_process_that_leaves_no_traces_keeps_nothing(file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Parsed, "leaves_traces", False)
    store = Parsed("folder")
    store.content(file)
    store.keep()

    assert not cache.exists()


def test_without_a_name_nothing_is_kept(file: Path, cache: Path):
    store = Parsed()
    store.content(file)
    store.keep()

    assert not cache.exists()


def test_of_knowledge_that_is_tried_somewhere_nothing_is_kept(tmp_path: Path, cache: Path):
    (tmp_path / "flags").mkdir()
    (tmp_path / "flags" / "a.yaml").write_text("- name: --x\n")
    load_knowledge(tmp_path)

    assert not cache.exists()


def test_the_knowledge_is_the_same_from_the_cache(monkeypatch: pytest.MonkeyPatch):
    first = load_knowledge(KNOWLEDGE)
    refuse_to_parse(monkeypatch)
    again = load_knowledge(KNOWLEDGE)

    assert dict(first.problems) == dict(again.problems)
    assert first.flags == again.flags


def test_a_release_that_parses_otherwise_does_not_believe_what_another_kept(
    kept: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(parsed, "_reader", lambda: b"of another release")
    monkeypatch.setattr(yaml_text, "read_yaml_text", lambda *_: "parsed anew")

    assert "parsed anew" == Parsed("folder").content(kept)
