"""A port that is listened on from a thread, and that is closed when what came in on it is answered."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

from waitress.server import create_server

LARGEST_HEAD = 32 * 2**10  # bytes
LARGEST_REQUEST = 2 * 2**20  # bytes; Slack's own events stay far below
_BACKLOG = 256  # with the usual five an acknowledgement took a second behind thirty others
_LOOK_SECONDS = 0.2
_DRAIN_SECONDS = 5.0
_LONGEST_REQUEST = 10.0  # seconds until it is whole; Slack's are within one, and it gives up after three
_MOST_CONNECTIONS = 512  # below the 1,024 files that a process may open
_CROWDED = 384  # from here on whoever has said nothing whole for longest makes room


def listen(pages: Callable[..., Iterable[bytes]], host: str, port: int) -> tuple[int, Callable[[], None]]:
    """Serve pages from a thread; return the port and how to stop.

    Raises:
        OSError: The port is taken, or is not ours to take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ours = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    server: Any = create_server(
        pages,
        sockets=[ours],
        threads=16,
        backlog=_BACKLOG,
        max_request_body_size=LARGEST_REQUEST,
        max_request_header_size=LARGEST_HEAD,
        connection_limit=_MOST_CONNECTIONS,
    )
    stop, waking = Event(), Lock()
    thread = Thread(target=_run, args=(server, stop, waking), name="http", daemon=True)
    thread.start()

    def close() -> None:
        with waking:  # it may wake by itself in between, and must not close what is pulled next
            if not stop.is_set():
                stop.set()
                server.pull_trigger()
        thread.join(_DRAIN_SECONDS * 2)

    return int(ours.getsockname()[1]), close


def _run(server: Any, stop: Event, waking: Lock) -> None:
    """Serve until told to stop, then answer what came in, and close from the thread that uses the sockets."""
    waiting = _Waiting(server)
    while not stop.is_set():
        _turn(server)
        waiting.let_go(time.monotonic())
    until = time.monotonic() + _DRAIN_SECONDS
    while _is_busy(server) and time.monotonic() < until:
        _turn(server)
    server.task_dispatcher.shutdown()
    for channel in list(server.active_channels.values()):
        channel.handle_close()
    with waking:
        server.close()


@dataclass
class _Waiting:
    """The connections on which no whole request has come in yet: waitress alone lets a hundred of them close the port.

    It ends a silent connection after two minutes, and never one that says a letter now and then.
    """

    server: Any
    _since: dict[Any, float] = field(default_factory=dict[Any, float])
    _next_look: float = 0.0

    def let_go(self, now: float) -> None:
        """Close the connections that have waited too long, and where it is crowded those that have waited longest."""
        channels = self.server.active_channels.values()
        if now < self._next_look and len(channels) <= _CROWDED:
            return
        self._next_look = now + _LOOK_SECONDS
        idle = [channel for channel in channels if not _has_work(channel)]
        self._since = {channel: self._since.get(channel, now) for channel in idle}
        longest = sorted(self._since.items(), key=lambda waiting: waiting[1])
        surplus = max(0, len(channels) - _CROWDED)
        for number, (channel, since) in enumerate(longest):
            if number < surplus or now - since > _LONGEST_REQUEST:
                channel.will_close = True  # the next turn does


def _has_work(channel: Any) -> bool:
    return bool(channel.requests or channel.total_outbufs_len)


def _turn(server: Any) -> None:
    server.asyncore.loop(timeout=_LOOK_SECONDS, map=server._map, use_poll=True, count=1)  # noqa: SLF001 - as waitress' own run does


def _is_busy(server: Any) -> bool:
    return any(map(_has_work, server.active_channels.values()))
