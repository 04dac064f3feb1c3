from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.catalog.places import KNOWLEDGE
from bot.cli import check as door
from bot.cli.main import program
from bot.diagnosis.naming import Complaint

ONE = KNOWLEDGE / "problems" / "memory" / "kv-cache-no-memory.yaml"
SAMPLES = 1 + ONE.read_text().splitlines().index("samples:")


def check(*files: Path) -> Result:
    return CliRunner().invoke(program, ["check", *map(str, files)])


def test_a_file_is_proved_by_name():
    said = check(ONE)

    assert (0, ["✓ kv-cache-no-memory", "1 of 1 problems proved."]) == (said.exit_code, said.stdout.splitlines())


def test_a_missing_file_is_named():
    said = check(Path("nowhere.yaml"))

    assert 2 == said.exit_code
    assert "nowhere.yaml" in said.stderr


def test_a_file_outside_the_knowledge_base_is_proved_as_if_it_were_in_it(tmp_path: Path):
    draft = tmp_path / ONE.name
    draft.write_text(ONE.read_text().replace("No available memory for the cache blocks", "Nothing like it at all", 1))
    said = check(draft)

    assert 1 == said.exit_code
    assert f"{draft}:14: wordings.no-available-memory" not in said.stdout
    assert "samples[0]: is not matched by no-available-memory" in said.stdout


def test_a_folder_stands_for_its_problems(tmp_path: Path):
    (tmp_path / ONE.name).write_text(ONE.read_text())

    assert "1 of 1 problems proved." in check(tmp_path).stdout


@pytest.mark.parametrize("name", ["notes.md", "more"])
def test_what_holds_no_problem_is_named(name: str, tmp_path: Path):
    (tmp_path / "notes.md").write_text("notes")
    (tmp_path / "more").mkdir()
    said = check(tmp_path / name)

    assert 1 == said.exit_code
    assert "holds no problem" in said.stderr


@pytest.mark.parametrize(
    "pattern", ["No available (memory", "(?<=x+)No available", "No available a{99999999999999999999}", "(" * 3000]
)
def test_a_pattern_that_is_none_is_told_with_its_place(pattern: str, tmp_path: Path):
    draft = tmp_path / ONE.name
    draft.write_text(ONE.read_text().replace("No available memory for the cache blocks", pattern, 1))
    said = check(draft)

    assert 1 == said.exit_code
    assert f"{draft}:14: wordings.no-available-memory: the pattern is no regular expression: " in said.stdout


def test_complaints_are_said_below_their_problem(monkeypatch):
    monkeypatch.setattr("bot.proof.prove", lambda *_: (Complaint("samples[2]", "is not matched"),))
    said = check(ONE)

    assert 1 == said.exit_code
    assert ["✗ kv-cache-no-memory", f"    {ONE}:{SAMPLES}: samples[2]: is not matched"] == said.stdout.splitlines()[:2]
    assert "check" == door.command.name
