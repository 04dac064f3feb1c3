"""More than one process on one PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace
from tests.slack.conftest import NO_ROOM, running, wait_for


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


@pytest.mark.postgres
def test_two_replicas_answer_every_message_once(workspace: Workspace, postgres_url: str) -> None:
    maya = workspace.human()
    with running(workspace, "socket", postgres_url), running(workspace, "socket", postgres_url):
        assert 2 == maya.do("sockets")["open"]
        ts = maya.post("#vllm-help", "@vllm-triage enable")["ts"]
        maya.wait_for_reply("#vllm-help", ts)
        maya.do("fault", kind="lost_answer", on="chat.postMessage", times=2, after=3)
        maya.do("fault", kind="duplicate", on="message", times=10)

        sent = [maya.post("#vllm-help", f"{NO_ROOM} --port {number}")["ts"] for number in range(20)]

        wait_for(lambda: all(replies(workspace, ts) for ts in sent))
        assert maya.do("settle")["ok"]
        assert {1} == {len(replies(workspace, ts)) for ts in sent}


def replies(workspace: Workspace, ts: str) -> list[dict]:
    return [message for message in workspace.human().replies("#vllm-help", ts) if message.get("bot_id")]
