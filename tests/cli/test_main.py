from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bot.catalog.load import KnowledgeError
from bot.cli import main as door
from bot.cli.main import COMMANDS, main, program


def run(*arguments: str):
    return CliRunner().invoke(program, arguments)


def a_fault(error: Exception) -> click.Command:
    def fail() -> None:
        raise error

    return click.Command("ask", callback=fail)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch):
    def break_with(error: Exception) -> None:
        monkeypatch.setattr(door.LazyGroup, "get_command", lambda *_: a_fault(error))

    return break_with


def test_help_names_every_command_and_where_to_start():
    said = run("--help").stdout

    assert [] == [name for name in COMMANDS if f"  {name} " not in said]
    assert "vllm-triage try" in said


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(name: str):
    outcome = run(name, "-h")

    assert 0 == outcome.exit_code
    assert f"program {name}" in outcome.stdout.splitlines()[0]


def test_the_version_is_the_package_s():
    assert run("--version").stdout.startswith("program, version") or "0.1.0" in run("--version").stdout


def test_an_unknown_command_is_refused_in_a_sentence():
    outcome = run("diagnose")

    assert 2 == outcome.exit_code
    assert "No such command 'diagnose'" in outcome.stderr


def test_help_loads_no_command():
    code = (
        "import sys; from bot.cli.main import program; program.main(['--help'], standalone_mode=False);"
        "print(sorted({'yaml', 'sqlalchemy', 'slack_bolt', 'pydantic', 'aiohttp', 'hyperscan'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert "[]" == said.splitlines()[-1]


def test_a_fault_is_one_sentence_and_no_traceback(broken, capsys: pytest.CaptureFixture[str]):
    broken(RuntimeError("the sky fell"))
    with pytest.raises(SystemExit) as ended:
        main(["ask"])
    said = capsys.readouterr().err

    assert 70 == ended.value.code
    assert said.startswith("vllm-triage: RuntimeError: the sky fell\nThis is a fault of ours.")
    assert "Traceback" not in said


def test_a_traceback_is_shown_to_who_asks_for_it(broken, capsys: pytest.CaptureFixture[str], monkeypatch):
    monkeypatch.setenv("VLLM_TRIAGE_DEBUG", "1")
    broken(RuntimeError("the sky fell"))
    with pytest.raises(SystemExit):
        main(["ask"])

    assert "Traceback" in capsys.readouterr().err


def test_a_broken_knowledge_file_is_no_fault_of_ours(broken, capsys: pytest.CaptureFixture[str]):
    broken(KnowledgeError("oom.yaml", 3, "title", "a title is wanted"))
    with pytest.raises(SystemExit):
        main(["ask"])
    said = capsys.readouterr().err

    assert "oom.yaml" in said
    assert "fault of ours" not in said


def test_a_closed_pipe_ends_quietly(broken, capsys: pytest.CaptureFixture[str]):
    broken(BrokenPipeError())
    with pytest.raises(SystemExit):
        main(["ask"])

    assert "" == capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DATABASE_URL", "nonsense", "DATABASE_URL is no address of a database"),
        ("DATABASE_URL", "mysql://me:hunter2@here/there", "DATABASE_URL is of the kind mysql"),
        (
            "DATABASE_URL",
            "sqlite:////dev/null/journal.sqlite3",
            "DATABASE_URL is in /dev/null: this folder cannot be made",
        ),
        ("SLACK_API_URL", "slack.example", "SLACK_API_URL: "),
        ("VLLM_TRIAGE_LOG_LEVEL", "LOUD", "VLLM_TRIAGE_LOG_LEVEL: "),
    ],
)
def test_a_setting_that_cannot_be_is_the_operator_s_to_change(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv(name, value)

    with pytest.raises(SystemExit) as end:
        main(["export"])

    said = capsys.readouterr().err
    assert 1 == end.value.code
    assert told in said
    assert "fault of ours" not in said
    assert "hunter2" not in said


def test_a_file_that_is_no_database_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "notes").write_text("no database at all" * 100)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'notes'}")

    with pytest.raises(SystemExit):
        main(["export"])

    assert "The database cannot be used: file is not a database." in capsys.readouterr().err


def test_the_doctor_goes_on_after_an_address_that_is_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "nonsense")

    said = run("doctor").stdout

    assert "✗ database: DATABASE_URL is no address of a database" in said
    assert "disk: " in said


@pytest.mark.parametrize("command", ["serve", "try"])
@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_no_machine_has_is_refused_at_once(command: str, port: str):
    assert 2 == run(command, "--port", port).exit_code


def shell(line: str) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m bot"
    return subprocess.run(
        ["bash", "-c", line.replace("vllm-triage", program)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("vllm-triage ask - <&-", 0),
        ("vllm-triage ask --jsonl - <&-", 0),
        ("vllm-triage size --jsonl <&-", 0),
        ("vllm-triage size x >&-", 4),
    ],
)
def test_a_closed_stream_is_an_empty_one(line: str, code: int):
    said = shell(line)

    assert (code, "") == (said.returncode, said.stderr.replace("I made nothing of 'x'.\n", ""))


@pytest.mark.parametrize("line", ["vllm-triage size x >/dev/full", "vllm-triage size x --json >/dev/full"])
def test_a_full_disk_is_called_so(line: str):
    said = shell(line)

    assert 1 == said.returncode
    assert "No space left on device" in said.stderr
    assert "fault of ours" not in said.stderr


def test_a_full_disk_is_no_fault_of_the_file_that_is_read(tmp_path: Path):
    (tmp_path / "rows").write_text('{"id": 1, "text": "hi"}\n' * 2_000)

    assert (
        "vllm-triage: No space left on device\n"
        == shell(f"vllm-triage ask --jsonl {tmp_path / 'rows'} >/dev/full").stderr
    )


def test_json_can_be_written_in_any_encoding():
    said = shell("PYTHONIOENCODING=latin-1 vllm-triage size 'qwen2.5-7b-instruct on L4' --json")

    assert json.loads(said.stdout)["budget"]["fits"]


def test_words_that_an_encoding_lacks_cost_no_answer():
    said = shell("PYTHONIOENCODING=latin-1 vllm-triage size 'qwen2.5-7b-instruct on L4' | cat")

    assert "It fits: " in said.stdout


@pytest.mark.parametrize("group", ["db", "forget", "team"])
def test_a_list_of_commands_cuts_no_sentence(group):
    (_, listed) = run(group, "--help").stdout.split("Commands:")

    assert "..." not in listed


HOMELESS = """
import os
os.getuid = lambda: 4_294_967_000  # of whom no list of users knows
from bot.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "has_journal", "code", "words"),
    [
        (["doctor"], True, 1, "✓ database"),
        (["doctor"], False, 1, "DATABASE_URL: set it: this user has no home"),
        (["serve"], True, 1, "SLACK_BOT_TOKEN is not set"),
        (["digest"], True, 0, "No incidents"),
        (["size", "qwen3-14b on L40S"], False, 0, "It fits"),
        (["size", "acme/unheard-of on L40S"], False, 4, "I do not know the model"),
    ],
)
def test_a_user_without_a_home_is_served_or_told_what_to_set(
    arguments: list[str], has_journal: bool, code: int, words: str, tmp_path: Path
):
    given = {"HF_HUB_OFFLINE": "1", "SLACK_API_URL": "http://127.0.0.1:9/api/"}
    journal = {"DATABASE_URL": f"sqlite:///{tmp_path / 'journal.sqlite3'}"} if has_journal else {}

    said = subprocess.run(
        [sys.executable, "-c", HOMELESS, *arguments],
        env=given | journal,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (code, True) == (said.returncode, words in said.stdout + said.stderr), said
