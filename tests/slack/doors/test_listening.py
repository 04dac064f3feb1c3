from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from waitress.trigger import trigger

from bot.slack.doors import listening
from bot.slack.doors.listening import listen


def slow_page(begun: Event, go_on: Event) -> Callable[..., Iterable[bytes]]:
    def page(_: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        begun.set()
        go_on.wait(60)
        start("200 OK", [("content-type", "text/plain")])
        return [b"done"]

    return page


def read(url: str) -> bytes:
    with urlopen(url, timeout=60) as page:
        return page.read()


def test_what_came_in_is_answered_before_the_port_is_closed() -> None:
    begun, go_on = Event(), Event()
    port, close = listen(slow_page(begun, go_on), "127.0.0.1", 0)
    with ThreadPoolExecutor(2) as hands:
        answer = hands.submit(read, f"http://127.0.0.1:{port}/")
        assert begun.wait(60)
        closing = hands.submit(close)
        go_on.set()

        assert b"done" == answer.result(60)
        closing.result(60)

    with pytest.raises(URLError):
        read(f"http://127.0.0.1:{port}/")


def test_a_loop_that_wakes_by_itself_is_not_pulled_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pull = trigger.pull_trigger

    def pull_late(pulled: trigger, thunk: Callable[[], None] | None = None) -> None:
        Event().wait(4 * listening._LOOK_SECONDS)
        pull(pulled, thunk)

    _, close = listen(slow_page(Event(), Event()), "127.0.0.1", 0)
    monkeypatch.setattr(trigger, "pull_trigger", pull_late)

    close()
    close()  # and once more is nothing


def test_a_name_that_means_two_addresses_is_one_port() -> None:
    go_on = Event()
    go_on.set()
    port, close = listen(slow_page(Event(), go_on), "localhost", 0)

    assert b"done" == read(f"http://127.0.0.1:{port}/")

    close()


def test_a_port_that_is_taken_is_an_error_of_the_system() -> None:
    port, close = listen(slow_page(Event(), Event()), "127.0.0.1", 0)

    with pytest.raises(OSError, match="in use"):
        listen(slow_page(Event(), Event()), "127.0.0.1", port)

    close()


def half_open(
    port: int, count: int, said: bytes = b"POST /slack/events HTTP/1.1\r\nHost: x\r\n"
) -> list[socket.socket]:
    """Open connections on which a request is begun and never finished."""
    opened = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(count)]
    for each in opened:
        with suppress(ConnectionError):  # it was let go already
            each.sendall(said)
    return opened


@pytest.fixture
def page() -> Iterator[int]:
    """The port of a page that answers at once."""
    go_on = Event()
    go_on.set()
    port, close = listen(slow_page(Event(), go_on), "127.0.0.1", 0)
    yield port
    close()


def test_a_crowd_of_half_open_connections_does_not_close_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "_MOST_CONNECTIONS", 30)
    monkeypatch.setattr(listening, "_CROWDED", 20)
    go_on = Event()
    go_on.set()
    port, close = listen(slow_page(Event(), go_on), "127.0.0.1", 0)

    crowd = half_open(port, 60)

    assert b"done" == read(f"http://127.0.0.1:{port}/")
    for each in crowd:
        each.close()
    close()


@pytest.mark.parametrize("body", [b"", b"Content-Length: 9\r\n\r\nonly"])
def test_who_does_not_finish_a_request_is_not_waited_for(
    page: int, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    monkeypatch.setattr(listening, "_LONGEST_REQUEST", 0.0)

    (slow,) = half_open(page, 1, b"POST / HTTP/1.1\r\nHost: x\r\n" + body)

    assert b"" == slow.recv(1)
    slow.close()


@pytest.mark.parametrize(("head", "status"), [(b"Content-Length: 3000000", b" 413"), (b"x: " + b"y" * 40_000, b" 431")])
def test_what_is_too_large_is_refused_before_it_is_read(page: int, head: bytes, status: bytes) -> None:
    (large,) = half_open(page, 1, b"POST / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n")

    assert status == large.recv(12)[-4:]
    large.close()
