"""Six processes on one PostgreSQL, killed at random while Slack misbehaves: `python -m tests.soak [SECONDS] [SEED]`.

Two replicas over Socket Mode, two over HTTP and two workers answer one workspace, which redelivers, cuts sockets, loses
answers and rate-limits. It prints figures, and exits 1 when anything was answered or sent twice, or not at all.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

from sqlalchemy import text

from bot.case import Thread as CaseThread
from bot.journal.channels import set_channel
from bot.journal.digest_rules import Rule, rules, set_rule
from bot.journal.incidents import Incident, file
from bot.journal.open import Journal, open_journal
from bot.slack.api.finding import MARK
from bot.slack.operating.manifest import manifest
from bot.workspace.person import Person, wait_until
from bot.workspace.server import Workspace
from tests.postgres import a_database, a_server
from tests.replica import Replica, environment, start_all

NO_ROOM = (
    "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing "
    "the engine.\nvllm serve meta-llama/Llama-3.1-8B-Instruct --gpu-memory-utilization 0.4 --port {port}"
)
HTTP = ("serve", "--transport", "http", "--port", "0")
REPLICAS = {"socket-1": ("serve",), "socket-2": ("serve",), "http-1": HTTP, "http-2": HTTP}
WORKERS = {"worker-1": ("worker",), "worker-2": ("worker",)}
CHANNELS = ("soak-1", "soak-2", "soak-3")
SETTLING_SECONDS = 150  # two leases of threads whose worker was killed, and then some


@dataclass
class Soak:
    """One run: the workspace, the processes, what was said, and what went wrong on purpose."""

    workspace: Workspace
    journal: Journal
    replicas: dict[str, Replica]
    dice: random.Random
    said: dict[str, str] = field(default_factory=dict[str, str])  # every message of a person, with its channel
    roots: dict[str, float] = field(default_factory=dict[str, float])  # those that are owed a reply, with their time
    counts: Counter[str] = field(default_factory=Counter[str])

    @property
    def maya(self) -> Person:
        """Who talks."""
        return self.workspace.human("maya")

    @property
    def team(self) -> str:
        """The workspace's id."""
        return next(iter(self.workspace.rig.world.teams))

    def run(self, seconds: float, kill_every: float) -> None:
        """Talk and make trouble for so long, while processes are killed; then start all of them anew."""
        stop = Event()
        killer = Thread(target=self.kill_now_and_then, args=(kill_every, stop))
        killer.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.say()
            self.dice.choice(TROUBLES)(self)
            self.balance()
            time.sleep(self.dice.uniform(0.1, 0.6))
        stop.set()
        killer.join(60)
        self.maya.do("fault", clear=True)
        self.restart_all()
        self.balance()

    def say(self) -> None:
        """Say something, of one kind or another."""
        channel = self.dice.choice(CHANNELS)
        words = NO_ROOM.format(port=self.dice.randrange(1024, 65536))
        call = "@vllm-triage " if self.dice.random() < 0.2 else ""
        sent = self.maya.post(channel, call + words)["ts"]
        self.said[sent], self.roots[sent] = channel, time.time()
        if self.dice.random() < 0.3:
            self.said[self.maya.post(channel, "it is one L4", thread_ts=sent)["ts"]] = channel
        self.counts["messages"] += 1

    def balance(self) -> None:
        """Send what comes next by Socket Mode, or to one of the HTTP replicas, dead or alive."""
        ways = [None, *(replica.url for replica in self.replicas.values() if replica.url)]
        self.maya.do("request_url", url=self.dice.choice(ways))

    def kill_now_and_then(self, every: float, stop: Event) -> None:
        """Kill a process in the middle of whatever it does, and start it again, until told to stop."""
        while not stop.wait(every * random.uniform(0.3, 1.7)):
            replica = self.replicas[random.choice(sorted(self.replicas))]
            replica.kill()
            self.counts["kills"] += 1
            time.sleep(random.uniform(0, 0.5))
            replica.start()

    def restart_all(self) -> None:
        """Kill every process and start them a while later: what is left over is found by those that begin."""
        for replica in self.replicas.values():
            replica.kill()
            self.counts["kills"] += 1
        with self.journal.writing() as connection:  # the leases of the dead run out
            connection.execute(text("UPDATE cases SET claimed_until = claimed_until - interval '1 minute'"))
            late = "claimed_at = claimed_at - interval '2 minutes' WHERE message IS NULL"
            connection.execute(text(f"UPDATE digest_slots SET {late}"))
        start_all(self.replicas.values())

    def owed(self) -> int:
        """Count the threads that are owed an answer."""
        with self.journal.engine.connect() as connection:
            return int(connection.execute(text("SELECT count(*) FROM cases WHERE taken > answered")).scalar_one())

    def ours(self) -> list[dict[str, Any]]:
        """Return every message of ours with its metadata and thread."""
        world = self.workspace.rig.world
        return [
            {"channel": channel, "ts": message.ts, "root": message.root, **message.metadata["event_payload"]}
            for channel, messages in list(world.messages.items())
            for message in list(messages.values())
            if message.metadata and message.metadata["event_type"] == MARK
        ]

    def lost(self) -> set[str]:
        """Return the messages that the journal does not have."""
        with self.journal.engine.connect() as connection:
            taken = set(
                connection.execute(text("SELECT message FROM entries WHERE kind IN ('paste','reply')")).scalars()
            )
        return set(self.said) - taken

    def is_settled(self) -> bool:
        """Say whether everything that was said is taken, answered, and every digest sent."""
        sent = sum("week" in message for message in self.ours())
        return not self.lost() and not self.owed() and sent >= len(rules(self.journal))


def _fault(kind: str, on: str, **options: float) -> Callable[[Soak], None]:
    def strike(soak: Soak) -> None:
        soak.maya.do("fault", kind=kind, on=on, **options)
        soak.counts[f"{kind} on {on}"] += 1

    return strike


def _sockets(**how: object) -> Callable[[Soak], None]:
    def strike(soak: Soak) -> None:
        soak.maya.do("sockets", **how)
        soak.counts[f"sockets {' '.join(how)}"] += 1

    return strike


def _redeliver(soak: Soak) -> None:
    sent = list(soak.workspace.stage.delivery.sent)
    if sent:
        soak.maya.do("redeliver", event_id=soak.dice.choice(sent))
        soak.counts["redeliveries"] += 1


TROUBLES: tuple[Callable[[Soak], None], ...] = (
    _fault("duplicate", "message"),
    _fault("no_ack", "message"),
    _fault("rate_limited", "chat.postMessage", seconds=1),
    _fault("rate_limited", "chat.update", seconds=1),
    _fault("server_error", "chat.postMessage"),
    _fault("lost_call", "chat.postMessage"),
    _fault("lost_answer", "chat.postMessage"),
    _fault("delay", "chat.postMessage", seconds=0.5),
    _sockets(farewell="refresh_requested"),
    _sockets(cut=True),
    _redeliver,
    _redeliver,
)


@contextmanager
def a_soak(database: str, seed: int, digests: int) -> Generator[Soak]:
    """Start a workspace with channels and due digests, and six processes that answer it."""
    # An event is given up after a minute: to start six processes takes long on a busy machine.
    workspace = Workspace(manifest=manifest(), clock_factor=6)
    with workspace.run_in_thread(), tempfile.TemporaryDirectory() as directory:
        journal = open_journal(database)
        replicas = {
            name: Replica(arguments, environment(workspace.api_url, database), Path(directory) / f"{name}.log")
            for name, arguments in (REPLICAS | WORKERS).items()
        }
        soak = Soak(workspace, journal, replicas, random.Random(seed))
        _settle_in(soak, digests)
        start_all(replicas.values())
        try:
            yield soak
        finally:
            for replica in replicas.values():
                replica.kill()
            journal.close()


def _settle_in(soak: Soak, digests: int) -> None:
    for name in CHANNELS:
        channel = soak.maya.do("create", name=name)["channel"]
        soak.maya.do("invite", channel=name)
        set_channel(soak.journal, soak.team, channel, name=name, mode="auto", is_private=False)
    due = datetime.now(UTC) - timedelta(minutes=2)
    for number in range(digests):
        name = f"team-{number}"
        channel = soak.maya.do("create", name=name)["channel"]
        soak.maya.do("invite", channel=name)
        set_channel(soak.journal, soak.team, channel, name=name, team=name, is_private=False)
        thread = CaseThread(workspace=soak.team, channel=channel, root="1764000000.000100")
        last_week = due - timedelta(days=due.weekday() + 3)
        file(soak.journal, Incident.model_validate({"thread": thread, "opened_at": last_week, "team": name}))
        rule = {"workspace": soak.team, "team": name, "channel": channel, "weekday": due.weekday()}
        minute = due.hour * 60 + due.minute
        set_rule(soak.journal, Rule.model_validate({**rule, "minute": minute, "since": due - timedelta(days=1)}))


@dataclass(frozen=True)
class Figures:
    """What a soak came to."""

    lines: tuple[str, ...]
    faults: tuple[str, ...]


def figures(soak: Soak, seconds: float) -> Figures:
    """Count what was said against what was answered, taken and sent."""
    ours = soak.ours()
    replies = Counter(message["root"] for message in ours if message.get("purpose") == "reply")
    others = Counter(
        (message["channel"], message["root"], message["purpose"]) for message in ours if "purpose" in message
    )
    digests = Counter((message["channel"], message["week"]) for message in ours if "week" in message)
    wanted = len(rules(soak.journal))
    late = sorted(
        float(message["ts"]) - soak.roots[message["root"]] for message in ours if message["root"] in soak.roots
    )
    deliveries = soak.workspace.rig.deliveries
    event_counts = Counter(delivery["event_id"] for delivery in deliveries if delivery["event_id"])
    again = sum(count - 1 for count in event_counts.values())
    faults = {
        "messages never answered": len([root for root in soak.roots if replies[root] == 0]),
        "messages answered twice": len([root for root, count in replies.items() if count > 1]),
        "anything else said twice": len([key for key, count in others.items() if count > 1]),
        "failures told": len([key for key in others if key[2] == "failure"]),
        "digests not sent": wanted - len(digests),
        "digests sent twice": len([key for key, count in digests.items() if count > 1]),
        "messages lost": len(soak.lost()),
        "threads still owed": soak.owed(),
    }
    lines = [
        f"{soak.counts['messages']} messages in {seconds:.0f} s to six processes, {soak.counts['kills']} of which were killed",
        f"{len(event_counts)} events, delivered {again} times more than once; {dict(sorted(soak.counts.items()))}",
        f"{len(replies)} answered; p50 {_share(late, 0.5):.2f} s, p95 {_share(late, 0.95):.2f} s, last {_share(late, 1):.2f} s",
        f"{len(digests)} of {wanted} digests sent",
        *(f"{name}: {count}" for name, count in faults.items()),
    ]
    return Figures(tuple(lines), tuple(name for name, count in faults.items() if count))


def _share(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(len(values) * part))] if values else 0.0


def soak(seconds: float, seed: int, kill_every: float = 3, digests: int = 12) -> Figures:
    """Run one soak on a database of its own and return its figures."""
    with a_server() as server, a_database(server) as database, a_soak(database, seed, digests) as made:
        began = time.monotonic()
        made.run(seconds, kill_every)
        try:
            wait_until(made.is_settled, SETTLING_SECONDS)
        except TimeoutError:
            print("It did not settle.")
        found = figures(made, time.monotonic() - began)
        if found.faults:
            for name, replica in made.replicas.items():
                print(f"--- {name}\n{replica.log.read_text()[-3000:]}")
        return found


if __name__ == "__main__":
    duration = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    chosen = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10_000)
    result = soak(duration, chosen)
    print(f"seed {chosen}", *result.lines, sep="\n")
    sys.exit(1 if result.faults else 0)
