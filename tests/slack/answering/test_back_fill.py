from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.journal.channels import all_channels
from bot.journal.open import open_journal
from bot.slack.operating.manifest import manifest
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


def test_a_call_that_we_missed_where_we_speak_only_when_called_is_answered(
    workspace: Workspace, tmp_path: Path
) -> None:
    maya, url = workspace.human(), f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    with running(workspace, "socket", url):
        ts = maya.post("#vllm-help", "@vllm-triage mention")["ts"]
        maya.wait_for_reply("#vllm-help", ts)
    chatter = maya.post("#vllm-help", NO_ROOM)["ts"]
    missed = maya.post("#vllm-help", f"@vllm-triage {NO_ROOM}")["ts"]

    with running(workspace, "socket", url):
        assert "KV cache" in maya.wait_for_reply("#vllm-help", missed)["text"]
        assert [] == maya.replies("#vllm-help", chatter)


def test_an_order_that_was_obeyed_is_not_obeyed_again(workspace: Workspace, tmp_path: Path) -> None:
    maya, url = workspace.human(), f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    with running(workspace, "socket", url):
        for order in ("enable", "mention"):
            ts = maya.post("#vllm-help", f"@vllm-triage {order}")["ts"]
            maya.wait_for_reply("#vllm-help", ts)
    maya.post("#vllm-help", f"@vllm-triage {NO_ROOM}")

    with running(workspace, "socket", url):
        last = maya.messages("#vllm-help")[-1]["ts"]
        maya.wait_for_reply("#vllm-help", last)
        journal = open_journal(url)

        assert ["mention"] == [room.mode for room in all_channels(journal)]
        journal.close()


def test_more_than_a_page_of_missed_messages_is_read(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.slack.answering.back_fill.A_PAGE", 5)
    maya, url = workspace.human(), f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    with running(workspace, "socket", url):
        ts = maya.post("#vllm-help", "@vllm-triage enable")["ts"]
        maya.wait_for_reply("#vllm-help", ts)
    first = maya.post("#vllm-help", NO_ROOM)["ts"]
    for number in range(12):
        maya.post("#vllm-help", f"lunch {number}?")

    with running(workspace, "socket", url):
        assert "KV cache" in maya.wait_for_reply("#vllm-help", first)["text"]


def cut(workspace: Workspace) -> None:
    """Drop every connection under the app's hands, as a network does."""
    for socket in list(workspace.stage.hub.sockets):
        transport = socket._writer.transport
        transport._loop.call_soon_threadsafe(transport.abort)
    wait_for(lambda: not [socket for socket in workspace.stage.hub.sockets if not socket.closed])


def test_a_call_in_a_channel_that_we_were_invited_to_while_away_is_answered(
    workspace: Workspace, tmp_path: Path
) -> None:
    maya, url = workspace.human(), f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    with running(workspace, "socket", url):
        ts = maya.post("#vllm-help", "@vllm-triage enable")["ts"]
        maya.wait_for_reply("#vllm-help", ts)
        maya.do("settle")
    maya.do("create", name="new-room")
    maya.do("invite", channel="new-room")
    chatter = maya.post("new-room", NO_ROOM)["ts"]
    missed = maya.post("new-room", f"@vllm-triage {NO_ROOM}")["ts"]

    with running(workspace, "socket", url):
        assert "KV cache" in maya.wait_for_reply("new-room", missed)["text"]
        assert [] == maya.replies("new-room", chatter)
