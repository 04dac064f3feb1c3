"""Running the app: Socket Mode, or signed HTTP on loopback for a proxy in front."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from slack_bolt import App
from slack_bolt.adapter.wsgi import SlackRequestHandler
from waitress.server import create_server

from bot.consult import ask, knowledge
from bot.journal.open import open_journal
from bot.journal.owed import release_all
from bot.settings import Settings, Transport
from bot.slack.app import build
from bot.slack.connection import Connection
from bot.slack.rounds import Rounds
from bot.slack.worker import Worker

PATH = "/slack/events"
_FIRST_WORDS = "vllm serve meta-llama/Llama-3.1-8B-Instruct on one L4: No available memory for the cache blocks."
_LARGEST_REQUEST = 2 * 2**20  # bytes; Slack's own events stay far below


def serve(settings: Settings, transport: Transport, *, host: str, port: int, say: Callable[[str], None]) -> None:
    """Run until the process is told to stop; then stop listening, finish what is in hand, and return."""
    stop = Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda _signal, _frame: stop.set())
    run(settings, transport, host=host, port=port, say=say, stop=stop)


def run(
    settings: Settings, transport: Transport, *, host: str, port: int, say: Callable[[str], None], stop: Event
) -> None:
    """Run until `stop` is set."""
    knowledge()  # a broken file stops us here
    ask(_FIRST_WORDS)  # the first paste finds wordings and catalogue loaded
    journal = open_journal(settings.database_url)
    if journal.has_one_process:
        release_all(journal)
    app, desk = build(settings, journal)
    worker = Worker(desk)
    worker.start()
    rounds = Rounds(desk)
    rounds.mark()
    close = _socket(settings, app, rounds, say) if transport == "socket" else _http(app, host, port, say)
    rounds.start()
    try:
        stop.wait()
    finally:
        close()
        rounds.stop()
        worker.stop()
        journal.close()


def _socket(settings: Settings, app: App, rounds: Rounds, say: Callable[[str], None]) -> Callable[[], None]:
    token = settings.slack_app_token.get_secret_value() if settings.slack_app_token else ""
    connection = Connection(app, token, rounds)
    connection.open()
    say("Connected to Slack by Socket Mode.")
    return connection.close


def _http(app: App, host: str, port: int, say: Callable[[str], None]) -> Callable[[], None]:
    server: Any = create_server(
        _doors(app), host=host, port=port, threads=16, backlog=256, max_request_body_size=_LARGEST_REQUEST
    )
    Thread(target=server.run, name="http", daemon=True).start()
    say(f"Listening on http://{host}:{server.effective_port}{PATH}")
    return server.close


def _doors(app: App) -> Callable[..., Any]:
    slack = SlackRequestHandler(app, PATH)

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if environ.get("PATH_INFO") == "/healthz":
            start_response("200 OK", [("content-type", "text/plain")])
            return [b"ok\n"]
        return slack(environ, start_response)

    return answer
