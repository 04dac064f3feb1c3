"""Running the app: Socket Mode, signed HTTP on loopback for a proxy in front, or the work alone."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Thread

from slack_bolt import App

from bot.consult import ask, knowledge
from bot.diagnosis.wordings.scanners import make_ready
from bot.journal.open import Journal, open_journal
from bot.journal.owed import release_all
from bot.journal.sealing import Seal
from bot.journal.sole import only_process
from bot.settings import Settings, Transport
from bot.slack.answering.rounds import Rounds
from bot.slack.answering.worker import HANDS, Worker
from bot.slack.app import build, build_desk
from bot.slack.desk import Desk
from bot.slack.digests.schedule import Schedule, Telling
from bot.slack.doors.connection import Connection
from bot.slack.doors.listening import listen
from bot.slack.doors.pages import PATH, own_pages, slack_pages
from bot.slack.doors.probes import Probes

_FIRST_WORDS = "vllm serve meta-llama/Llama-3.1-8B-Instruct on one L4: No available memory for the cache blocks."
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Operation:
    """How this process is run: where it listens, what its operator may look at, who tells a week."""

    host: str = LOOPBACK
    port: int = 0
    metrics_host: str = LOOPBACK
    metrics_port: int | None = None
    hands: int = HANDS
    tell: Telling | None = None
    say: Callable[[str], None] = print
    stop: Event = field(default_factory=Event)


def until_told_to_stop() -> Event:
    """Return an event that SIGTERM and SIGINT set.

    A thread sets it: a signal interrupts whatever the main thread does, and where that has just begun to wait for the
    event, to set it there would wait for a lock that the main thread holds itself.
    """
    stop, told = Event(), SimpleQueue[int]()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda number, _frame: told.put(number))
    Thread(target=lambda: (told.get(), stop.set()), name="told to stop", daemon=True).start()
    return stop


def run(
    settings: Settings, transport: Transport, *, host: str, port: int, say: Callable[[str], None], stop: Event
) -> None:
    """Run the app on a port until `stop` is set."""
    serve(settings, transport, Operation(host=host, port=port, say=say, stop=stop))


def serve(settings: Settings, transport: Transport, operation: Operation) -> None:
    """Run until told to stop; then stop listening, finish what is in hand, and return."""
    with _open(settings) as journal:
        app, desk = build(settings, journal)
        rounds = Rounds(desk)
        rounds.mark()
        with _working(desk, operation):
            open_ = _socket if transport == "socket" else _http
            close = open_(settings, app, rounds, operation)
            rounds.start()
            operation.stop.wait()
            close()
            rounds.stop()


def work(settings: Settings, operation: Operation) -> None:
    """Answer what others took in, without a connection of our own, until told to stop."""
    with _open(settings) as journal:
        desk = build_desk(settings, journal)
        with _working(desk, operation):
            stop_looking = _operators_pages(Probes(journal, is_stopping=operation.stop), operation)
            operation.say("Working on what is owed.")
            operation.stop.wait()
            stop_looking()


@contextmanager
def _open(settings: Settings) -> Generator[Journal]:
    make_ready(knowledge())  # a broken file stops us here
    ask(_FIRST_WORDS)  # the first paste finds wordings and catalogue loaded
    key = settings.vllm_triage_encryption_key
    seal = Seal(key.get_secret_value()) if key else None
    journal = open_journal(settings.database_url, seal, seals_pastes=settings.vllm_triage_encrypt_pastes)
    try:
        with only_process(journal):
            if journal.has_one_process:
                release_all(journal)
            yield journal
    finally:
        journal.close()


@contextmanager
def _working(desk: Desk, operation: Operation) -> Generator[None]:
    """Answer what is owed and send what is due, until the block ends; what is in hand is finished."""
    worker = Worker(desk, operation.hands)
    schedule = Schedule(desk, operation.tell) if operation.tell else None
    worker.start()
    if schedule:
        schedule.start()
    try:
        yield
    finally:
        if schedule:
            schedule.stop()
        worker.stop()


def _socket(settings: Settings, app: App, rounds: Rounds, operation: Operation) -> Callable[[], None]:
    token = settings.slack_app_token.get_secret_value() if settings.slack_app_token else ""
    connection = Connection(app, token, rounds)
    connection.open()
    probes = Probes(rounds.desk.journal, connection.is_open, operation.stop)
    stop_looking = _operators_pages(probes, operation)
    operation.say("Connected to Slack by Socket Mode.")

    def close() -> None:
        connection.close()
        stop_looking()

    return close


def _http(_: Settings, app: App, rounds: Rounds, operation: Operation) -> Callable[[], None]:
    probes = Probes(rounds.desk.journal, is_stopping=operation.stop)
    stop_looking = _operators_pages(probes, operation)
    pages = slack_pages(app, probes, shows_metrics=operation.metrics_port is None)
    port, stop_listening = listen(pages, operation.host, operation.port)
    operation.say(f"Listening on http://{operation.host}:{port}{PATH}")

    def close() -> None:
        stop_listening()
        stop_looking()

    return close


def _operators_pages(probes: Probes, operation: Operation) -> Callable[[], None]:
    """Serve metrics and health on a port of their own, where one is wanted."""
    if operation.metrics_port is None:
        return lambda: None
    port, stop = listen(own_pages(probes), operation.metrics_host, operation.metrics_port)
    operation.say(f"Metrics and health on http://{operation.metrics_host}:{port}/metrics")
    return stop
