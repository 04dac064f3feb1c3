"""One process of the shipped program, as tests start and kill it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


def environment(api_url: str, database: str) -> dict[str, str]:
    """Return what an operator sets, for the local workspace."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SLACK_BOT_TOKEN": "xoxb-local",
        "SLACK_APP_TOKEN": "xapp-local",
        "SLACK_SIGNING_SECRET": "local-signing-secret",
        "SLACK_API_URL": api_url,
        "DATABASE_URL": database,
    }


@dataclass
class Replica:
    """One process of ours, and where it listens."""

    arguments: tuple[str, ...]
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[str] | None = None
    url: str | None = None

    def start(self) -> None:
        """Start it and wait until it says that it is there."""
        command = [sys.executable, "-m", "bot.cli.main", *self.arguments]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT
            )
        assert self.process.stdout
        said = self.process.stdout.readline()
        assert said, f"{self.arguments} did not start:\n{self.log.read_text()[-2000:]}"
        self.url = said.split()[-1] if "http" in self.arguments else None

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process
        assert self.process.stdout
        self.process.kill()
        self.process.wait(60)
        self.process.stdout.close()


def start_all(replicas: Iterable[Replica]) -> None:
    """Start many at once."""
    with ThreadPoolExecutor(8) as hands:
        list(hands.map(Replica.start, replicas))
