"""The HTTP doors: Slack's own, signed and answered once, and those for whoever operates us."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from slack_bolt import App
from slack_bolt.adapter.wsgi import SlackRequestHandler

from bot.journal.requests import is_answered, note_answered
from bot.slack.doors.probes import Probes
from bot.slack.metrics import page

PATH = "/slack/events"
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")
_MOMENT = re.compile(r"[0-9]{1,12}")
_LOG = logging.getLogger(__name__)
Environ = dict[str, Any]
Start = Callable[..., Any]
Pages = Callable[[Environ, Start], Iterable[bytes]]


def slack_pages(app: App, probes: Probes, *, shows_metrics: bool) -> Pages:
    """Return the pages of the port that Slack calls."""
    slack, own = SlackRequestHandler(app, PATH), own_pages(probes, shows_metrics=shows_metrics)

    def answer(environ: Environ, start: Start) -> Iterable[bytes]:
        path = str(environ.get("PATH_INFO"))
        if not path.startswith("/slack/"):
            return own(environ, start)
        if path != PATH:  # installing, which a browser does: its state protects it
            return slack(environ, start)
        return _once(probes, slack, environ, start)

    return answer


def _once(probes: Probes, slack: Pages, environ: Environ, start: Start) -> Iterable[bytes]:
    """Let Slack in, but no request a second time: Slack signs each of its own retries anew."""
    signature = str(environ.get("HTTP_X_SLACK_SIGNATURE") or "")
    moment = str(environ.get("HTTP_X_SLACK_REQUEST_TIMESTAMP") or "")
    # Bolt takes the form of both for granted, and fails in the open where it is another.
    if not _SIGNATURE.fullmatch(signature) or not _MOMENT.fullmatch(moment):
        return _say(start, "401 Unauthorized", b"This request is not signed.\n")
    if is_answered(probes.journal, signature):
        return _say(start, "409 Conflict", b"This request was answered before.\n", ("x-slack-no-retry", "1"))
    statuses: list[str] = []

    def note_status(status: str, headers: Any, *rest: Any) -> Any:
        statuses.append(status)
        return start(status, headers, *rest)

    try:
        body = slack(environ, note_status)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
        if statuses:
            raise
        _LOG.warning("A request was no message of Slack's: %s", type(error).__name__)
        return _say(start, "400 Bad Request", b"This is no message of Slack's.\n")
    if statuses and statuses[0].startswith("200"):
        note_answered(probes.journal, signature, datetime.now(UTC))
    return body


def own_pages(probes: Probes, *, shows_metrics: bool = True) -> Pages:
    """Return the pages for whoever operates us; they tell nothing of what people said."""

    def answer(environ: Environ, start: Start) -> Iterable[bytes]:
        path = environ.get("PATH_INFO")
        if path in {"/livez", "/healthz"}:
            return _say(start, "200 OK", b"ok\n")
        if path == "/readyz":
            missing = probes.missing()
            text = f"not ready: {', '.join(missing)}\n" if missing else "ok\n"
            return _say(start, "503 Service Unavailable" if missing else "200 OK", text.encode())
        if path == "/metrics" and shows_metrics:
            return _say(start, "200 OK", page(probes.journal, datetime.now(UTC)))
        return _say(start, "404 Not Found", b"There is nothing here.\n")

    return answer


def _say(start: Start, status: str, body: bytes, *headers: tuple[str, str]) -> Iterable[bytes]:
    start(status, [("content-type", "text/plain; version=0.0.4; charset=utf-8"), *headers])
    return [body]
