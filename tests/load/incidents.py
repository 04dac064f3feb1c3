"""A digest and a Home tab over many incidents: how long each takes, by which indexes, and how that grows.

Run it as `python -m tests.load.incidents [--rows 1000000] [--database sqlite|postgres|both]`.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from slack_sdk import WebClient
from sqlalchemy import Connection, event, insert, text

from bot.incident import Incident
from bot.journal.channels import set_channel
from bot.journal.open import Journal, open_journal
from bot.journal.tables import incidents
from bot.journal.teams import PLATFORM, Team, set_team
from bot.slack.desk import Desk
from bot.slack.home.tab import home
from bot.weekly.compose import digest
from bot.weekly.figures import Names
from bot.weekly.gather import gather
from bot.weekly.weeks import week_of
from tests.postgres import a_database, a_server

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
WORKSPACE, PERSON = "T1", "U7"
WEEKS, TEAMS, CHANNELS, PEOPLE = 104, 40, 200, 5000
_BATCH = 10_000
_RUNS = 5


def rows(first: int, last: int) -> Iterator[dict[str, Any]]:
    """Yield incidents spread over two years: many of few kinds, few of many, most of them solved."""
    dice = random.Random(first)
    for number in range(first, last):
        # In the order they happen, as they are filed; each fill spans the two years anew.
        age = 1 - (number - first + dice.random()) / (last - first)
        opened = NOW - timedelta(seconds=age * WEEKS * 7 * 86400)
        problem = min(int(dice.expovariate(0.12)), 96)
        is_known, is_solved = dice.random() < 0.95, dice.random() < (0.97 if NOW - opened > timedelta(days=14) else 0.7)
        channel = dice.randrange(CHANNELS)
        yield {
            "workspace": WORKSPACE,
            "channel": f"C{channel}",
            "root": f"{opened.timestamp():.0f}.{number % 1_000_000:06d}",
            "team": f"team-{channel % TEAMS}",
            "state": "resolved" if is_solved else "open",
            "opened_at": opened,
            "updated_at": opened,
            "answered_at": opened + timedelta(seconds=dice.random() * 8),
            "resolved_at": opened + timedelta(hours=dice.expovariate(0.2)) if is_solved else None,
            "opener": f"U{dice.randrange(PEOPLE)}",
            "resolver": f"U{dice.randrange(PEOPLE)}" if is_solved else None,
            "problem": f"problem-{problem}" if is_known else None,
            "title": f"Problem {problem} in a sentence of some length" if is_known else None,
            "cause": f"cause-{problem % 7}" if is_known else None,
            "fingerprint": f"problem-{problem}/cause-{problem % 7}" if is_known else f"unknown/{dice.randrange(3000)}",
            "error": None if is_known else "runtimeerror: something <n> that nobody knows yet",
            "model": f"org-{problem % 9}/Model-{dice.randrange(120)}-Instruct",
            "gpu": f"NVIDIA GPU-{dice.randrange(14)}",
            "gpu_count": dice.choice((1, 1, 2, 4, 8)),
            "vllm_version": f"0.{dice.randrange(6, 34)}.0",
            "confidence": "high",
            "patch": {"max_model_len": 4096 * dice.randrange(1, 9)} if problem % 2 else None,
            "pasted": {"model": "org/model", "max_model_len": 131072, "tensor_parallel": 1},
            "context_lost": dice.randrange(2**34) if problem % 5 == 0 else None,
            "idle_memory": None,
            "helpful": dice.choice((True, True, False, None, None)),
            "reopened": 0,
        }


@dataclass(frozen=True)
class Figures:
    """How long each took: seconds by the clock, and of our own work, the medians of some runs."""

    count: int
    week: int  # incidents in the week that is told
    platform: tuple[float, float]
    team: tuple[float, float]
    home: tuple[float, float]

    def __str__(self) -> str:
        told = f"{self.count:>9,} incidents ({self.week:>6,} in the week)"
        named = (("platform digest", self.platform), ("team digest", self.team), ("Home", self.home))
        took = ", ".join(f"{name} {clock:.3f} s ({work:.3f} s of work)" for name, (clock, work) in named)
        return f"{told}: {took}"


def prepare(journal: Journal) -> None:
    """Make the teams and the channels that incidents lie in."""
    for number in range(TEAMS):
        set_team(journal, Team(workspace=WORKSPACE, name=f"team-{number}"))
    for number in range(CHANNELS):
        name = f"channel-{number}"
        team = f"team-{number % TEAMS}"
        set_channel(journal, WORKSPACE, f"C{number}", name=name, team=team, is_private=number % 5 == 0)


def fill(journal: Journal, first: int, last: int) -> None:
    """Add incidents, and let the database look at them as its own housekeeping would."""
    filed = rows(first, last)
    while batch := list(islice(filed, _BATCH)):
        with journal.writing() as connection:
            connection.execute(insert(incidents), batch)
    if not journal.has_one_process:
        with journal.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("VACUUM ANALYZE incidents"))


def tell(journal: Journal, team: str) -> int:
    """Make a digest of the last whole week; return how many incidents it tells of."""
    gathered = gather(
        journal, WORKSPACE, team, week_of(NOW).before, names=Names(flags={"max_model_len": "--max-model-len"})
    )
    digest(gathered, _link)
    return len(gathered.incidents)


def _link(incident: Incident) -> str:
    return f"https://example.slack.com/archives/{incident.thread.channel}/p{incident.thread.root}"


def show_home(journal: Journal) -> None:
    """Draw the Home tab of somebody who may change settings."""
    out_of_reach = WebClient(base_url="http://127.0.0.1:9/", timeout=1, retry_handlers=[])
    desk = Desk(journal, out_of_reach, "U0", clock=lambda: NOW, leads=frozenset({PERSON}))
    home(desk, WORKSPACE, PERSON)


def measure(journal: Journal, count: int, runs: int = _RUNS) -> Figures:
    """Return how long a digest and the Home tab take."""
    return Figures(
        count=count,
        week=tell(journal, PLATFORM),
        platform=_seconds(lambda: tell(journal, PLATFORM), runs),
        team=_seconds(lambda: tell(journal, "team-7"), runs),
        home=_seconds(lambda: show_home(journal), runs),
    )


def _seconds(work: Callable[[], object], runs: int) -> tuple[float, float]:
    took: list[tuple[float, float]] = []
    for _ in range(runs):
        begun = time.perf_counter(), time.process_time()
        work()
        took.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    return median(clock for clock, _ in took), median(own for _, own in took)


@contextmanager
def _listening(journal: Journal) -> Iterator[list[tuple[str, Any]]]:
    """Collect the statements about incidents that the block executes."""
    heard: list[tuple[str, Any]] = []

    def hear(_c: Connection, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        if "FROM incidents" in statement:
            heard.append((statement, parameters))

    event.listen(journal.engine, "before_cursor_execute", hear)
    yield heard
    event.remove(journal.engine, "before_cursor_execute", hear)


def plans(journal: Journal) -> tuple[str, ...]:
    """Return how the database reaches the incidents, for every statement of a digest and of the Home tab."""
    with _listening(journal) as heard:
        tell(journal, PLATFORM)
        tell(journal, "team-7")
        show_home(journal)
    explain = "EXPLAIN QUERY PLAN " if journal.has_one_process else "EXPLAIN "
    ways: dict[str, None] = {}
    with journal.engine.connect() as connection:
        for statement, parameters in heard:
            for row in connection.exec_driver_sql(explain + statement, parameters):
                line = str(row[-1]).strip()
                if "incidents" in line and ("Scan" in line or "SEARCH" in line or "SCAN" in line):
                    way = line.split("  (cost", maxsplit=1)[0].removeprefix("->").strip()
                    ways.setdefault(re.sub(r"incidents_\d+$", "", way).strip())
    return tuple(ways)


def run(journal: Journal, sizes: tuple[int, ...]) -> list[Figures]:
    """Fill the journal up to each size and measure there."""
    prepare(journal)
    found: list[Figures] = []
    before = 0
    for size in sizes:
        fill(journal, before, size)
        before = size
        found.append(measure(journal, size))
        print(found[-1], flush=True)  # noqa: T201 - what the script is for
    return found


@contextmanager
def journals(kind: str) -> Iterator[Journal]:
    """Open an empty journal of that kind."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as directory:
            journal = open_journal(f"sqlite:///{Path(directory) / 'journal.sqlite3'}")
            yield journal
            journal.close()
        return
    with a_server() as server, a_database(server) as address:
        journal = open_journal(address)
        yield journal
        journal.close()


def main() -> None:
    """Measure, and print figures and plans."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    wanted = parser.parse_args()
    sizes = (*(size for size in (10_000, 100_000) if size < wanted.rows), wanted.rows)
    for kind in ("sqlite", "postgres") if wanted.database == "both" else (wanted.database,):
        print(f"\n{kind}")  # noqa: T201
        with journals(kind) as journal:
            run(journal, sizes)
            print(*plans(journal), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
