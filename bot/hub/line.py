"""What one look at the hub may take in all: names, connections, headers, bodies and redirects of all its files."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

_GRACE_SECONDS = 0.25  # in which whoever reads a line that was cut says what has come so far
_T = TypeVar("_T")


class OutOfTimeError(Exception):
    """The look has taken its time."""


class Line:
    """The connections of one look; cut when its time is up.

    A timeout of a socket begins anew with every byte: a server that says one now and then would hold a reader for hours.
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._open: list[socket.socket] = []
        self._is_cut = False
        self._lock = Lock()

    def left(self) -> float:
        """Return how many seconds are left.

        Raises:
            OutOfTimeError: None are.
        """
        left = self._deadline - time.monotonic()
        if left <= 0 or self._is_cut:
            raise OutOfTimeError
        return left

    def trace(self, event: str, told: Mapping[str, Any]) -> None:
        """Note a connection; httpcore calls it with each of its steps."""
        if not event.endswith("connect_tcp.complete"):
            return
        # A copy, because TLS takes the original away from its object.
        copy: socket.socket = told["return_value"].get_extra_info("socket").dup()
        with self._lock:
            self._open.append(copy)
            if self._is_cut:
                _shut(copy)

    def cut(self) -> None:
        """Let whoever reads or writes on the line fail now."""
        with self._lock:
            self._is_cut = True
            for each in self._open:
                _shut(each)

    def close(self) -> None:
        """Give the copies back."""
        with self._lock:
            for each in self._open:
                each.close()
            self._open.clear()


def within(line: Line, work: Callable[[], _T]) -> _T:
    """Return what work returns; where its time is up, what it makes of a line that was cut.

    It runs in a thread: nothing else ends the wait for a name server.

    Raises:
        OutOfTimeError: It does not return.
    """
    told = Future[_T]()
    Thread(target=_run, args=(line, work, told), name="hub", daemon=True).start()
    with suppress(OutOfTimeError, TimeoutError):
        return told.result(line.left())
    line.cut()
    try:
        return told.result(_GRACE_SECONDS)
    except TimeoutError:
        raise OutOfTimeError from None


def _run(line: Line, work: Callable[[], _T], told: Future[_T]) -> None:
    try:
        told.set_result(work())
    except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits for it
        told.set_exception(error)
    finally:
        line.close()


def _shut(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
