from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

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
