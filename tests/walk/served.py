"""The shipped program as a process of its own, with only the address of Slack changed, and the people who meet it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from bot.slack.operating.manifest import manifest
from bot.workspace.person import PATIENCE, Person, wait_until
from bot.workspace.server import Workspace

ROOT = Path(__file__).parent.parent.parent
Transport = Literal["socket", "http"]
Json = dict[str, Any]
T = TypeVar("T")
_ARGUMENTS = {"socket": (), "http": ("--transport", "http", "--port", "0")}


@dataclass
class Walk:
    """A workspace, the program that serves it, and the people in it."""

    workspace: Workspace
    directory: Path
    transport: Transport
    process: subprocess.Popen[str] | None = None
    log: list[Path] = field(default_factory=list)

    @property
    def maya(self) -> Person:
        """An admin, who asks."""
        return self.workspace.human("maya")

    @property
    def jonas(self) -> Person:
        """A colleague."""
        return self.workspace.human("jonas")

    @property
    def priya(self) -> Person:
        """Another, who is in fewer channels."""
        return self.workspace.human("priya")

    @property
    def bot_user(self) -> str:
        """The program's user id."""
        return next(install.bot_user for install in self.workspace.rig.world.installations.values())

    @property
    def journal(self) -> Path:
        """The file that the program keeps its journal in."""
        return self.directory / "journal.sqlite3"

    def start(self) -> None:
        """Start the program and wait until it listens."""
        self.log.append(self.directory / f"log-{len(self.log)}.txt")
        with self.log[-1].open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot", "serve", *_ARGUMENTS[self.transport]],
                env=self._environment(),
                cwd=self.directory,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout
        said = self.process.stdout.readline()
        assert said, self.errors()
        if self.transport == "http":
            self.maya.do("request_url", url=said.split()[-1], verify=True)
        self.is_reached()

    def is_reached(self) -> None:
        """Wait until what is said in the workspace comes to the program."""
        if self.transport == "socket":
            wait_for(lambda: self.workspace.stage.hub.sockets)

    def kill(self) -> None:
        """End the program as a power cut would."""
        assert self.process
        assert self.process.stdout
        self.process.kill()
        self.process.wait(60)
        self.process.stdout.close()
        self.process = None
        wait_for(lambda: not self.workspace.stage.hub.sockets)  # what is said from now on has nowhere to go

    def errors(self) -> str:
        """Return what the program has logged since it was started last."""
        return self.log[-1].read_text()

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.directory),
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "HF_ENDPOINT": "http://127.0.0.1:9",
            "SLACK_BOT_TOKEN": "xoxb-local",
            "SLACK_APP_TOKEN": "xapp-local",
            "SLACK_SIGNING_SECRET": "local-signing-secret",
            "SLACK_API_URL": self.workspace.api_url,
            "DATABASE_URL": f"sqlite:///{self.journal}",
        }

    def a_channel(self, mode: str | None = "enable", *, private: bool = False) -> str:
        """Make a channel, invite the program, and say in it when it shall speak."""
        name = f"c-{uuid.uuid4().hex[:10]}"
        self.maya.do("create", name=name, private=private)
        self.maya.do("invite", channel=name)
        if mode:
            self.maya.wait_for_reply(name, self.maya.post(name, f"@vllm-triage {mode}")["ts"])
        self.settled()  # what is still said to the invitation must not meet the faults that a test arms next
        return name

    def a_channel_without_it(self) -> str:
        """Make a channel that the program was not invited to."""
        name = f"o-{uuid.uuid4().hex[:10]}"
        self.maya.do("create", name=name)
        return name

    def said(self, channel: str, ts: str) -> list[Json]:
        """Return what the program said in a thread, for all to see."""
        replies = self.maya.replies(channel, ts)
        return [each for each in replies if each.get("bot_id") and not each.get("is_ephemeral")]

    def reply(self, channel: str, ts: str) -> Json:
        """Return the one reply of a case, once it is there.

        Raises:
            TimeoutError: There is none.
        """
        return wait_for(lambda: self.said(channel, ts))[0]

    def answer(self, text: str, channel: str | None = None) -> str:
        """Paste in a channel, a fresh one by default, and return all that the reply says."""
        channel = channel or self.a_channel()
        return texts(self.reply(channel, self.maya.post(channel, text)["ts"])["blocks"])

    def whispers(self, person: Person, channel: str) -> list[Json]:
        """Return what the program said to one person alone, in a channel and its threads."""
        shown = person.do("messages", channel=channel, all=True)["messages"]
        return [each for each in shown if each.get("is_ephemeral")]

    def settled(self) -> None:
        """Wait until everything was acknowledged and answered, our own words too."""
        assert self.maya.do("settle")["ok"]
        wait_for(lambda: not self.owes())
        assert self.maya.do("settle")["ok"]

    def owes(self) -> bool:
        """Say whether anything was taken and not answered."""
        return bool(self.query("SELECT count(*) FROM cases WHERE taken > answered")[0][0])

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Look into the journal, or change it while the program is down."""
        with closing(sqlite3.connect(self.journal, timeout=60)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    def marks(self, channel: str, ts: str) -> list[str]:
        """Return the reactions on a message."""
        (root,) = [each for each in self.maya.messages(channel) if each["ts"] == ts]
        return [each["name"] for each in root.get("reactions", [])]


@contextmanager
def a_walk(transport: Transport, directory: Path, **options: Any) -> Iterator[Walk]:
    """Serve a workspace of its own until the block ends."""
    workspace = Workspace(manifest=manifest(), ack_seconds=PATIENCE, **options)
    with workspace.run_in_thread():
        walk = Walk(workspace, directory, transport)
        try:
            walk.start()
            yield walk
        finally:
            if walk.process:
                walk.kill()


def texts(blocks: object) -> str:
    """Return all the text in blocks, in order."""
    if isinstance(blocks, list):
        return " ".join(texts(block) for block in blocks)
    if not isinstance(blocks, dict):
        return ""
    own = blocks.get("text")
    inner = (texts(value) for value in blocks.values() if not isinstance(value, str))
    return " ".join([own if isinstance(own, str) else "", *inner])


def buttons(message: Json) -> dict[str, Json]:
    """Return the elements of a message that can be pressed or chosen from, by action id."""
    rows = [block for block in message["blocks"] if block["type"] in {"actions", "section"}]
    elements = [each for row in rows for each in (*row.get("elements", ()), row.get("accessory") or {})]
    return {each["action_id"]: each for each in elements if "action_id" in each}


def wait_for(look: Callable[[], T]) -> T:
    """Look until there is something to see, and return it."""
    return wait_until(look)
