"""The Socket Mode connection, watched: a cut is noticed within a second and what was missed is read up."""

from __future__ import annotations

import logging
import select
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler

from bot.slack.answering.rounds import Rounds

_HANDS = 20
_LOOK_SECONDS = 0.5
_LONGEST_WAIT = 30.0  # between attempts to connect anew
# The peer's end of stream; Linux tells it before anything is read, for plain and TLS sockets alike.
_GONE = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR
logger = logging.getLogger(__name__)


@dataclass
class Connection:
    """One Socket Mode connection; the SDK alone takes up to a minute to notice that a peer has gone."""

    app: App
    token: str
    rounds: Rounds
    _stop: Event = field(default_factory=Event)
    _is_torn: Event = field(default_factory=Event)
    """What came could not be read: nobody knows where in the stream the next message begins, and none is heard any more."""

    def __post_init__(self) -> None:
        self._handler = SocketModeHandler(self.app, self.token, concurrency=_HANDS, ping_interval=5)
        self._handler.client.on_error_listeners.append(lambda _: self._is_torn.set())
        self._thread = Thread(target=self._watch, name="connection", daemon=True)

    def open(self) -> None:
        """Connect.

        Raises:
            slack_sdk.errors.SlackApiError: Slack does not take the token.
        """
        self._handler.connect()
        self._thread.start()

    def is_open(self) -> bool:
        """Return whether Slack can reach us."""
        return bool(self._handler.client.is_connected())

    def close(self) -> None:
        """Disconnect; what was taken is acknowledged."""
        self._stop.set()
        self._thread.join(5)
        self._wake_reader()
        self._handler.close()

    def _wake_reader(self) -> None:
        """End the reading that the SDK else sits out for seconds before it closes."""
        session = self._handler.client.current_session
        sock = session.sock if session else None
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _watch(self) -> None:
        client, wait = self._handler.client, _LOOK_SECONDS
        session = client.session_id()
        while not self._stop.wait(wait):
            wait = _LOOK_SECONDS if not self._is_cut() or self._connect_anew() else min(wait * 2, _LONGEST_WAIT)
            if client.session_id() != session:
                session = client.session_id()
                self.rounds.missed()

    def _is_cut(self) -> bool:
        if self._is_torn.is_set():
            return True
        session = self._handler.client.current_session
        sock = session.sock if session else None
        if sock is None:
            return True
        look = select.poll()
        try:
            look.register(sock.fileno(), _GONE)
        except (ValueError, OSError):  # closed under our hands: the SDK is at it
            return False
        return bool(look.poll(0))

    def _connect_anew(self) -> bool:
        try:
            self._handler.client.connect_to_new_endpoint(force=True)
        except Exception as error:  # noqa: BLE001 - whatever it was, the next attempt is all we can do
            logger.warning("Slack cannot be reached: %s", error)
            return False
        self._is_torn.clear()
        return True
