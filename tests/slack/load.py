# ruff: noqa: T201 - a script that prints its figures
"""How fast the app answers and acknowledges, next to an app that only echoes: `python -m tests.slack.load`."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from bot.slack.manifest import manifest
from bot.workspace.server import Workspace
from tests.slack.conftest import NO_ROOM, wait_for
from tests.slack.test_serve import served

A_SECOND = 20
LONG_LOG = "\n".join(
    f"INFO 11-20 10:12:{n % 60:02d} [loggers.py:123] Engine 000: Running: {n} reqs" for n in range(30_000)
)


def echo(api_url: str) -> None:
    """Run an app that says in the thread what it heard, and nothing else."""
    app = App(client=WebClient(token="xoxb-local", base_url=api_url), signing_secret="x")

    @app.event("message")
    def _echo(event, say):
        if not event.get("subtype"):
            say(text=event.get("text", ""), thread_ts=event["ts"])

    SocketModeHandler(app, "xapp-local").connect()
    print("Connected", flush=True)
    signal.pause()


@contextmanager
def echoing(workspace: Workspace, database: str) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.slack.load", "echo", workspace.api_url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    process.stdout.readline()
    yield
    process.kill()
    process.wait(10)


def seconds_to_reply(workspace: Workspace, seconds: int) -> list[float]:
    """Post at a steady pace and return how long each message waited for its reply."""
    maya, sent = workspace.human(), list[str]()
    begin = time.monotonic()
    for number in range(A_SECOND * seconds):
        time.sleep(max(0.0, begin + number / A_SECOND - time.monotonic()))
        sent.append(maya.post("#vllm-help", f"{NO_ROOM} --port {number}")["ts"])
    wait_for(lambda: all(ts in replied(workspace) for ts in sent), 60)
    return [replied(workspace)[ts] - float(ts) for ts in sent]


def replied(workspace: Workspace) -> dict[str, float]:
    """Return when each thread got its first reply of the app, in the workspace's own time."""
    found: dict[str, float] = {}
    for message in workspace.human().messages("#vllm-help"):
        if message.get("latest_reply"):
            found[message["ts"]] = float(message["latest_reply"])
    return found


def milliseconds_to_acknowledge(workspace: Workspace) -> list[float]:
    """Post while fifty long logs are in flight and return how long each acknowledgement took."""
    maya = workspace.human()
    with ThreadPoolExecutor(16) as hands:
        list(hands.map(lambda n: maya.upload("#vllm-help", LONG_LOG, name=f"{n}.log", text=NO_ROOM), range(50)))
        maya.do("deliveries", clear=True)
        for number in range(100):
            maya.post("#vllm-help", f"lunch {number}?")
            time.sleep(0.02)
    maya.do("settle")
    return [delivery["ms"] for delivery in maya.do("deliveries")["deliveries"] if delivery["kind"] == "events_api"]


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def measure(name: str, app: Callable[..., Any], seconds: int) -> None:
    workspace = Workspace(manifest=manifest(), ack_seconds=3.0)
    with (
        workspace.run_in_thread(),
        tempfile.TemporaryDirectory() as directory,
        app(workspace, f"sqlite:///{Path(directory) / 'journal.sqlite3'}"),
    ):
        maya = workspace.human()
        maya.wait_for_reply("#vllm-help", maya.post("#vllm-help", "@vllm-triage enable")["ts"])
        waits = seconds_to_reply(workspace, seconds)
        acks = milliseconds_to_acknowledge(workspace)
    print(
        f"{name}: reply p50 {share(waits, 0.5) * 1000:.0f} ms, p95 {share(waits, 0.95) * 1000:.0f} ms of {len(waits)}; "
        f"acknowledgement p50 {share(acks, 0.5):.0f} ms, p99 {share(acks, 0.99):.0f} ms of {len(acks)}"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["echo"]:
        echo(sys.argv[2])
    duration = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    measure("echo  ", echoing, duration)
    measure("triage", served, duration)
