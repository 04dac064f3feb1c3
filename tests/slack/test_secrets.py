"""Planted secrets are looked for wherever the program writes: its database, its replies, its logs, its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple
from urllib.request import urlopen

import pytest

from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace
from tests.replica import Replica, environment
from tests.slack.conftest import NO_ROOM, wait_for

HF = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz012345"
OPENAI = "sk-" + "proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
SLACK = "xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
PASSWORD = "correct-horse-battery"
PLANTED = (HF, OPENAI, SLACK, AWS, PASSWORD)
OURS = ("xoxb-local", "xapp-local", "local-signing-secret")
PASTE = f"""{NO_ROOM}
HF_TOKEN={HF} OPENAI_API_KEY={OPENAI} AWS_ACCESS_KEY_ID={AWS}
curl -H "Authorization: Bearer {SLACK}" https://me:{PASSWORD}@models.example/v1/models
"""


class Leak(NamedTuple):
    """What one run of the program wrote, and where."""

    stored: bytes
    said: str
    logged: str
    shown: str


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "sealed"])
def leak(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Leak]:
    directory = tmp_path_factory.mktemp("leak")
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        known = environment(workspace.api_url, f"sqlite:///{directory / 'journal.sqlite3'}")
        known |= {"VLLM_TRIAGE_LOG_LEVEL": "DEBUG", "VLLM_TRIAGE_LOG_FORMAT": "json"}
        if request.param:
            key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            known |= {"VLLM_TRIAGE_ENCRYPT_PASTES": "1", "VLLM_TRIAGE_ENCRYPTION_KEY": key}
        arguments = ("serve", "--transport", "http", "--port", "0")
        replica = Replica(arguments, known, directory / "log")
        replica.start()
        workspace.human().do("request_url", url=replica.url, verify=True)
        plant(workspace)
        wait_for(lambda: "Reference" in replica.log.read_text())
        with urlopen(str(replica.url).replace("/slack/events", "/metrics"), timeout=60) as page:
            shown = page.read().decode()
        replica.kill()
        stored = b"".join(path.read_bytes() for path in directory.glob("journal.sqlite3*"))
        said = json.dumps([call["args"] for call in workspace.human().calls()])
        yield Leak(stored, said, replica.log.read_text(), shown)


def plant(workspace: Workspace) -> None:
    """Say the secrets on every way that words come in, and let some of the answers go wrong."""
    maya = workspace.human()
    ts = maya.post("#vllm-help", "@vllm-triage enable")["ts"]
    maya.wait_for_reply("#vllm-help", ts)
    ts = maya.post("#vllm-help", PASTE)["ts"]
    reply = maya.wait_for_reply("#vllm-help", ts)["ts"]
    maya.do("edit", channel="#vllm-help", ts=ts, text=PASTE + "\nit is one L4")
    maya.post("#vllm-help", PASTE, thread_ts=ts)
    maya.upload("#vllm-help", PASTE, name="vllm.log", text="our log")
    maya.slash("#vllm-help", "/vllm-size", f"llama-3.1-8b on L4 --hf-token {HF}")
    maya.shown_by(lambda: maya.click("#vllm-help", reply, "vt1:unhelpful"))
    maya.do("submit", values={"reason": PASTE})
    maya.do("fault", kind="error", on="chat.postMessage", error="restricted_action")
    maya.post("#vllm-help", f"@vllm-triage {PASTE}")
    maya.do("fault", kind="server_error", on="chat.postMessage")
    last = maya.post("#vllm-help", f"@vllm-triage {PASTE} --port 1")["ts"]
    maya.wait_for_reply("#vllm-help", last)
    maya.do("settle")


def test_nothing_planted_is_stored(leak: Leak) -> None:
    assert not [secret for secret in (*PLANTED, *OURS) if secret.encode() in leak.stored]


def test_nothing_planted_is_said(leak: Leak) -> None:
    assert not [secret for secret in (*PLANTED, *OURS) if secret in leak.said]


def test_nothing_planted_is_logged_and_nothing_else_that_people_said(leak: Leak) -> None:
    assert not [secret for secret in (*PLANTED, *OURS) if secret in leak.logged]
    assert "cache blocks" not in leak.logged
    assert "Reference" in leak.logged


def test_nothing_planted_is_shown_to_the_operator(leak: Leak) -> None:
    assert not [secret for secret in (*PLANTED, *OURS) if secret in leak.shown]


def test_a_log_line_is_one_json_object(leak: Leak) -> None:
    lines = [json.loads(line) for line in leak.logged.splitlines()]

    assert {"at", "level", "logger", "event"} <= set(lines[0])


def test_sealed_pastes_cannot_be_read_in_the_database(leak: Leak, request: pytest.FixtureRequest) -> None:
    is_sealed = "sealed" in request.node.callspec.id

    assert is_sealed != (b"cache blocks" in leak.stored)
