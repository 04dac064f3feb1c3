from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from bot.catalog.places import KNOWLEDGE
from bot.cli import check as door
from bot.cli.main import program

ONE = KNOWLEDGE / "problems" / "memory" / "kv-cache-no-memory.yaml"


def check(*files: Path) -> Result:
    return CliRunner().invoke(program, ["check", *map(str, files)])


def test_a_file_is_proved_by_name():
    said = check(ONE)

    assert (0, ["✓ kv-cache-no-memory", "1 of 1 problems proved."]) == (said.exit_code, said.stdout.splitlines())


def test_a_missing_file_is_named():
    said = check(Path("nowhere.yaml"))

    assert 2 == said.exit_code
    assert "nowhere.yaml" in said.stderr


def test_a_file_outside_the_knowledge_base_is_named(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text("title: mine\n")
    said = check(tmp_path / "mine.yaml")

    assert 1 == said.exit_code
    assert "no problem file of the knowledge base is called mine" in said.stderr


def test_complaints_are_said_below_their_problem(monkeypatch):
    monkeypatch.setattr("bot.proof.prove", lambda *_: ("sample 2: not matched",))
    said = check(ONE)

    assert 1 == said.exit_code
    assert ["✗ kv-cache-no-memory", "    sample 2: not matched"] == said.stdout.splitlines()[:2]
    assert door.command.name == "check"
