from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace

ROOT = Path(__file__).parents[3]


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


def begun(tmp_path: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Start the shipped program with settings that do not work."""
    known = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SLACK_BOT_TOKEN": "xoxb-local",
        "SLACK_APP_TOKEN": "xapp-local",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'journal.sqlite3'}",
    }
    command = [sys.executable, "-m", "bot.cli.main", "serve"]
    return subprocess.run(command, env=known | settings, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    "wrong", [{"SLACK_BOT_TOKEN": "xoxb-wrong"}, {"SLACK_APP_TOKEN": "xapp-wrong"}], ids=["bot", "app"]
)
def test_a_token_that_slack_does_not_take_is_named(tmp_path: Path, workspace: Workspace, wrong: dict[str, str]) -> None:
    run = begun(tmp_path, SLACK_API_URL=workspace.api_url, **wrong)

    assert 1 == run.returncode
    assert "Slack does not take a token" in run.stderr


def test_a_slack_out_of_reach_is_told_in_one_sentence(tmp_path: Path) -> None:
    run = begun(tmp_path, SLACK_API_URL="http://127.0.0.1:9/api/")

    assert 1 == run.returncode
    assert "http://127.0.0.1:9/api/" in run.stderr
    assert "Traceback" not in run.stderr
