# ruff: noqa: T201 - a script that prints its figures
"""How soon the program answers and acknowledges, next to an app that only echoes: `python -m tests.load.conversation`.

Messages are posted at a steady pace and timed until their reply stands in the thread; then short messages are
acknowledged while fifty long logs are in flight. Every app is a process of its own on an empty workspace.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.slack.operating.manifest import manifest
from bot.workspace.person import wait_until
from bot.workspace.server import Workspace
from tests.walk.pastes import NO_ROOM
from tests.walk.served import ROOT, Walk

CHANNEL = "#vllm-help"
LOG = "\n".join(f"INFO 11-20 10:12:{n % 60:02d} [loggers.py:123] Engine 000: Running: {n} reqs" for n in range(30_000))


@dataclass(frozen=True)
class Load:
    """How much is asked for, and for how long."""

    seconds: int = 10
    a_second: int = 20
    logs: int = 50
    acknowledgements: int = 100


@dataclass(frozen=True)
class Figures:
    """What came of it: seconds from message to reply, milliseconds to an acknowledgement."""

    replies: list[float]
    acknowledgements: list[float]

    def __str__(self) -> str:
        """Say the shares that are promised, and those in the middle."""
        waits, acks = [each * 1000 for each in self.replies], self.acknowledgements
        return (
            f"reply p50 {share(waits, 0.5):.0f} ms, p95 {share(waits, 0.95):.0f} ms of {len(waits)}; "
            f"acknowledgement p50 {share(acks, 0.5):.0f} ms, p99 {share(acks, 0.99):.0f} ms of {len(acks)}"
        )


def share(values: list[float], part: float) -> float:
    """Return the value that this part of all values stays below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def measure(app: Callable[[Workspace, Path], Iterator[None]], load: Load) -> Figures:
    """Put a load on an app and return how it did."""
    workspace = Workspace(manifest=manifest())
    with (
        tempfile.TemporaryDirectory() as directory,
        workspace.run_in_thread(),
        contextmanager(app)(workspace, Path(directory)),
    ):
        maya = workspace.human()
        maya.wait_for_reply(CHANNEL, maya.post(CHANNEL, "@vllm-triage enable")["ts"])
        return Figures(_replies(workspace, load), _acknowledgements(workspace, load))


def _replies(workspace: Workspace, load: Load) -> list[float]:
    """Post at a steady pace and return how long each message waited for its reply."""
    maya, sent = workspace.human(), list[str]()
    begin = time.monotonic()
    for number in range(load.a_second * load.seconds):
        time.sleep(max(0.0, begin + number / load.a_second - time.monotonic()))
        sent.append(maya.post(CHANNEL, f"{NO_ROOM} --port {number}")["ts"])
    wait_until(lambda: _answered(workspace).keys() >= set(sent), 120)
    return [_answered(workspace)[ts] - float(ts) for ts in sent]


def _answered(workspace: Workspace) -> dict[str, float]:
    """Return when each thread got its first reply, by the workspace's own clock; without asking it over HTTP."""
    rig = workspace.rig
    channel = next(each.id for each in rig.world.channels.values() if each.name == CHANNEL.removeprefix("#"))
    found: dict[str, float] = {}
    for message in list(rig.world.messages[channel].values()):
        if message.root != message.ts:
            found.setdefault(message.root, float(message.ts))
    return found


def _acknowledgements(workspace: Workspace, load: Load) -> list[float]:
    """Post while long logs are in flight and return how long each acknowledgement took, in milliseconds."""
    maya = workspace.human()
    with ThreadPoolExecutor(16) as hands:
        list(hands.map(lambda n: maya.upload(CHANNEL, LOG, name=f"{n}.log", text=NO_ROOM), range(load.logs)))
        maya.do("deliveries", clear=True)
        for number in range(load.acknowledgements):
            maya.post(CHANNEL, f"lunch {number}?")
            time.sleep(0.02)
    maya.do("settle")
    delivered = [each for each in maya.do("deliveries")["deliveries"] if each["kind"] == "events_api"]
    return [each["ms"] for each in delivered if each["is_ok"]]


def triage(workspace: Workspace, directory: Path) -> Iterator[None]:
    """Serve with the program itself."""
    walk = Walk(workspace, directory, "socket")
    walk.start()
    try:
        yield
    finally:
        walk.kill()


def echo(workspace: Workspace, directory: Path) -> Iterator[None]:
    """Serve with an app that says in the thread what it heard, and nothing else."""
    command = [sys.executable, "-m", "tests.load.conversation", "echo", workspace.api_url]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    process.stdout.readline()
    try:
        yield
    finally:
        process.kill()
        process.wait(60)
        process.stdout.close()


def run_echo(api_url: str) -> None:
    """Be the app that echoes."""
    from slack_bolt import App
    from slack_bolt.adapter.socket_mode import SocketModeHandler
    from slack_sdk import WebClient

    app = App(client=WebClient(token="xoxb-local", base_url=api_url), signing_secret="x")

    @app.event("message")
    def _echo(event, say):
        if not event.get("subtype") and not event.get("bot_id"):
            say(text=event.get("text", ""), thread_ts=event["ts"])

    app.event("app_mention")(lambda: None)
    SocketModeHandler(app, "xapp-local").connect()
    print("Connected", flush=True)
    signal.pause()


if __name__ == "__main__":
    if sys.argv[1:2] == ["echo"]:
        run_echo(sys.argv[2])
    else:
        wanted = Load(seconds=int(sys.argv[1]) if len(sys.argv) > 1 else 10)
        print(f"echo    {measure(echo, wanted)}", flush=True)
        print(f"triage  {measure(triage, wanted)}", flush=True)
