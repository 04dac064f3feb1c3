"""What the README shows is what the program says."""

from __future__ import annotations

import re
import shlex

import pytest
from click.testing import CliRunner

from bot.cli.main import COMMANDS, program
from tests.golden import exchange
from tests.golden.test_golden import IS_UPDATE

SHELL = "\n".join(re.findall(r"```sh\n(.*?)```", exchange.README.read_text(), re.DOTALL))
LINES = [line for line in SHELL.splitlines() if line.startswith(".venv/bin/vllm-triage ")]


def test_the_exchange_is_a_golden_one():
    if IS_UPDATE:
        exchange.write()

    assert exchange.wanted() == exchange.shown()


@pytest.mark.parametrize("line", LINES)
def test_the_commands_shown_run(line: str, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paste = (exchange.HERE / "pastes" / "kv-cache-too-small.log").read_text()
    (tmp_path / "paste.txt").write_text(paste)
    (tmp_path / "my-logs").mkdir()
    (tmp_path / "my-logs" / "start.log").write_text(paste)
    outcome = CliRunner().invoke(program, shlex.split(line, comments=True)[1:])

    assert (0, "") == (outcome.exit_code, outcome.stderr)
    assert outcome.stdout


def test_every_command_named_exists():
    named = set(re.findall(r"vllm-triage ([a-z]+)", exchange.README.read_text()))

    assert set() == named - set(COMMANDS)
