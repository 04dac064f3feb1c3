from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.slack.manifest import manifest
from bot.workspace.server import Workspace
from tests.slack.conftest import NO_ROOM, running, wait_for


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


def test_what_was_said_while_we_were_away_is_answered(workspace: Workspace, tmp_path: Path) -> None:
    maya, url = workspace.human(), f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    with running(workspace, "socket", url):
        ts = maya.post("#vllm-help", "@vllm-triage enable")["ts"]
        maya.wait_for_reply("#vllm-help", ts)
        open_case = maya.post("#vllm-help", "my server does not start")["ts"]
        maya.do("settle")
    missed = maya.post("#vllm-help", NO_ROOM)["ts"]
    maya.post("#vllm-help", NO_ROOM, thread_ts=open_case)

    with running(workspace, "socket", url):
        assert "KV cache" in maya.wait_for_reply("#vllm-help", missed)["text"]
        assert "KV cache" in maya.wait_for_reply("#vllm-help", open_case)["text"]


def test_what_was_said_while_the_socket_was_cut_is_answered(workspace: Workspace, tmp_path: Path) -> None:
    maya = workspace.human()
    with running(workspace, "socket", f"sqlite:///{tmp_path / 'journal.sqlite3'}"):
        ts = maya.post("#vllm-help", "@vllm-triage enable")["ts"]
        maya.wait_for_reply("#vllm-help", ts)
        cut(workspace)
        missed = maya.post("#vllm-help", NO_ROOM)["ts"]

        assert "KV cache" in maya.wait_for_reply("#vllm-help", missed, 40)["text"]


def cut(workspace: Workspace) -> None:
    """Drop every connection under the app's hands, as a network does."""
    for socket in list(workspace.stage.hub.sockets):
        transport = socket._writer.transport
        transport._loop.call_soon_threadsafe(transport.abort)
    wait_for(lambda: not [socket for socket in workspace.stage.hub.sockets if not socket.closed])
