from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.slack.doors.serve import until_told_to_stop
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace
from tests.slack.conftest import NO_ROOM, wait_for

ROOT = Path(__file__).parents[3]


@contextmanager
def served(workspace: Workspace, database: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the shipped program with only the address of Slack changed."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SLACK_BOT_TOKEN": "xoxb-local",
        "SLACK_APP_TOKEN": "xapp-local",
        "SLACK_SIGNING_SECRET": "local-signing-secret",
        "SLACK_API_URL": workspace.api_url,
        "DATABASE_URL": database,
    }
    command = [sys.executable, "-m", "bot.cli.main", "serve", *arguments]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    said = process.stdout.readline()
    if "http" in arguments:
        workspace.human().do("request_url", url=said.split()[-1], verify=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait(60)
        process.stdout.close()


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'journal.sqlite3'}"


@pytest.mark.parametrize("arguments", [(), ("--transport", "http", "--port", "0")])
def test_the_shipped_program_answers(workspace: Workspace, database: str, arguments: tuple[str, ...]) -> None:
    with served(workspace, database, *arguments):
        ts = workspace.human().post("#vllm-help", f"@vllm-triage {NO_ROOM}")["ts"]

        assert "KV cache" in workspace.human().wait_for_reply("#vllm-help", ts)["text"]


def test_a_program_that_is_told_to_stop_finishes_and_goes(workspace: Workspace, database: str) -> None:
    with served(workspace, database) as process:
        process.send_signal(signal.SIGTERM)

        assert 0 == process.wait(60)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_program_that_just_begins_to_wait_hears_that_it_is_told_to_stop(told: signal.Signals) -> None:
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        stop = until_told_to_stop()
        with stop._cond:  # as `stop.wait()` holds it before it sleeps
            signal.raise_signal(told)

        assert stop.wait(10)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def test_what_a_killed_program_did_not_say_is_said_by_the_next(workspace: Workspace, database: str) -> None:
    maya = workspace.human()
    with served(workspace, database):
        maya.do("fault", kind="server_error", on="chat.postMessage", times=99)
        ts = maya.post("#vllm-help", f"@vllm-triage {NO_ROOM}")["ts"]
        wait_for(lambda: maya.calls("chat.postMessage"))
    maya.do("fault", clear=True)
    assert not replies(workspace, ts)

    with served(workspace, database):
        assert 1 == len(wait_for(lambda: replies(workspace, ts)))


def test_what_a_killed_program_said_and_did_not_write_down_is_found(workspace: Workspace, database: str) -> None:
    maya = workspace.human()
    with served(workspace, database):
        maya.do("fault", kind="lost_answer", on="chat.postMessage", times=99)
        maya.do("fault", kind="server_error", on="conversations.replies", times=99)
        ts = maya.post("#vllm-help", f"@vllm-triage {NO_ROOM}")["ts"]
        wait_for(lambda: maya.calls("conversations.replies"))
    maya.do("fault", clear=True)
    maya.do("calls", clear=True)

    with served(workspace, database):
        wait_for(lambda: maya.calls("conversations.replies"))
        maya.post("#vllm-help", "it is one L4", thread_ts=ts)
        wait_for(lambda: maya.calls("chat.update"))

        assert 1 == len(replies(workspace, ts))


def replies(workspace: Workspace, ts: str) -> list[dict]:
    return [message for message in workspace.human().replies("#vllm-help", ts) if message.get("bot_id")]


def test_settings_that_are_missing_are_named_with_how_to_get_them(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}

    run = subprocess.run(
        [sys.executable, "-m", "bot.cli.main", "serve"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == run.returncode
    assert "SLACK_BOT_TOKEN" in run.stderr
    assert "connections:write" in run.stderr
