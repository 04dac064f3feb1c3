"""The shipped app in a local workspace, over Socket Mode and over signed HTTP."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.journal.open import Journal, connect
from bot.settings import Settings
from bot.slack.doors.serve import run
from bot.slack.operating.manifest import manifest
from bot.workspace.person import PATIENCE, Person, wait_until
from bot.workspace.server import Workspace

NO_ROOM = (
    "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when "
    "initializing the engine.\nvllm serve meta-llama/Llama-3.1-8B-Instruct --gpu-memory-utilization 0.4"
)


@dataclass
class Party:
    """A workspace with the app in it, and the people who talk to it."""

    workspace: Workspace
    journal: Journal
    database_url: str

    @property
    def maya(self) -> Person:
        return self.workspace.human("maya")

    @property
    def jonas(self) -> Person:
        return self.workspace.human("jonas")

    @property
    def bot_user(self) -> str:
        """The app's own user id."""
        return next(install.bot_user for install in self.workspace.rig.world.installations.values())

    def a_channel(self, mode: str | None = "auto", *, private: bool = False) -> str:
        """Make a channel with the app in it, and let it speak there."""
        name = f"c-{uuid.uuid4().hex[:10]}"
        self.maya.do("create", name=name, private=private)
        self.maya.do("invite", channel=name)
        if mode == "auto":
            ts = self.maya.post(name, "@vllm-triage enable")["ts"]
            self.maya.wait_for_reply(name, ts)
        self.settled()  # what is still said to the invitation must not meet the faults that a test arms next
        return name

    def said(self, channel: str, ts: str) -> list[dict[str, Any]]:
        """Return what the app said in a thread."""
        return [message for message in self.maya.replies(channel, ts) if message.get("bot_id")]

    def settled(self) -> None:
        """Wait until the app has acknowledged and answered everything, its own words too."""
        assert self.maya.do("settle")["ok"]
        wait_until(lambda: not self.is_owed())
        assert self.maya.do("settle")["ok"]

    def is_owed(self) -> bool:
        with self.journal.engine.connect() as connection:
            owed = connection.exec_driver_sql("SELECT count(*) FROM cases WHERE taken > answered").scalar_one()
        return bool(owed)


@contextmanager
def a_party(transport: str, directory: Path, **options: Any) -> Iterator[Party]:
    """Run the app as `vllm-triage serve` does, in threads of this process."""
    workspace = Workspace(manifest=manifest(), ack_seconds=PATIENCE, **options)
    with workspace.run_in_thread():
        url = f"sqlite:///{directory / 'journal.sqlite3'}"
        with running(workspace, transport, url):
            journal = Journal(connect(url))
            yield Party(workspace, journal, url)
            journal.close()


@contextmanager
def running(workspace: Workspace, transport: str, url: str) -> Iterator[None]:
    """Run the app against a workspace until the block ends."""
    settings = Settings(
        slack_bot_token=SecretStr("xoxb-local"),
        slack_app_token=SecretStr("xapp-local"),
        slack_signing_secret=SecretStr("local-signing-secret"),
        slack_api_url=workspace.api_url,
        database_url=url,
    )
    stop, ready, said = threading.Event(), threading.Event(), list[str]()

    def say(text: str) -> None:
        said.append(text)
        ready.set()

    def work() -> None:
        run(settings, "http" if transport == "http" else "socket", host="127.0.0.1", port=0, say=say, stop=stop)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert ready.wait(60), "the app did not come up"
    if transport == "http":
        workspace.human("maya").do("request_url", url=said[0].split()[-1], verify=True)
    try:
        yield
    finally:
        stop.set()
        thread.join(60)


@pytest.fixture(scope="session", params=["socket", "http"])
def party(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    with a_party(request.param, tmp_path_factory.mktemp("party")) as made:
        yield made


@pytest.fixture
def fresh_party(tmp_path: Path) -> Iterator[Party]:
    """A workspace of its own, for tests that break things."""
    with a_party("socket", tmp_path) as made:
        yield made


def texts(blocks: object) -> str:
    """Return all the text in blocks, in order."""
    if isinstance(blocks, dict):
        own = blocks.get("text")
        return " ".join(
            [
                own if isinstance(own, str) else "",
                *(texts(value) for value in blocks.values() if not isinstance(value, str)),
            ]
        )
    return " ".join(texts(block) for block in blocks) if isinstance(blocks, list) else ""


def wait_for(look: Callable[[], Any]) -> Any:
    return wait_until(look)
