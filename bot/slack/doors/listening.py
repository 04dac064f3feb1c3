"""A port that is listened on from a thread, and that is closed when what came in on it is answered."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable
from threading import Event, Thread
from typing import Any

from waitress.server import create_server

LARGEST_REQUEST = 2 * 2**20  # bytes; Slack's own events stay far below
_BACKLOG = 256  # with the usual five an acknowledgement took a second behind thirty others
_LOOK_SECONDS = 0.2
_DRAIN_SECONDS = 5.0


def listen(pages: Callable[..., Iterable[bytes]], host: str, port: int) -> tuple[int, Callable[[], None]]:
    """Serve pages from a thread; return the port and how to stop.

    Raises:
        OSError: The port is taken, or is not ours to take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ours = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    server: Any = create_server(
        pages, sockets=[ours], threads=16, backlog=_BACKLOG, max_request_body_size=LARGEST_REQUEST
    )
    stop = Event()
    thread = Thread(target=_run, args=(server, stop), name="http", daemon=True)
    thread.start()

    def close() -> None:
        stop.set()
        server.pull_trigger()
        thread.join(_DRAIN_SECONDS * 2)

    return int(ours.getsockname()[1]), close


def _run(server: Any, stop: Event) -> None:
    """Serve until told to stop, then answer what came in, and close from the thread that uses the sockets."""
    while not stop.is_set():
        _turn(server)
    until = time.monotonic() + _DRAIN_SECONDS
    while _is_busy(server) and time.monotonic() < until:
        _turn(server)
    server.task_dispatcher.shutdown()
    for channel in list(server.active_channels.values()):
        channel.handle_close()
    server.close()


def _turn(server: Any) -> None:
    server.asyncore.loop(timeout=_LOOK_SECONDS, map=server._map, use_poll=True, count=1)  # noqa: SLF001 - as waitress' own run does


def _is_busy(server: Any) -> bool:
    return any(channel.requests or channel.total_outbufs_len for channel in server.active_channels.values())
