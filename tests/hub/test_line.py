"""A hub that never comes to an end, or answers what nobody asked for, is one sentence within the time of a look."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import SimpleNamespace

import pytest

from bot.hub import look_up as looking
from bot.hub.fetch import host
from bot.hub.line import Line, OutOfTimeError, within
from bot.hub.look_up import look_up
from bot.model_shape import ModelShape

from .conftest import CONFIG

NAME = "acme/parrot-1b"
Speak = Callable[[str], Iterator[bytes]]


@pytest.fixture
def serve(monkeypatch, tmp_path) -> Iterator[Callable[[Speak], None]]:
    """Serve what a generator says to a path, byte by byte as it says it, until the test ends."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    looking._refusals.clear()
    door, over = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def converse(line: socket.socket, speak: Speak) -> None:
        with line, suppress(OSError):
            path = line.recv(65536).decode().split(" ")[1]
            for said in speak(path):
                if over.is_set():
                    return
                line.sendall(said)

    def listen(speak: Speak) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=converse, args=(door.accept()[0], speak), daemon=True).start()

    def begin(speak: Speak) -> None:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{door.getsockname()[1]}")
        threading.Thread(target=listen, args=(speak,), daemon=True).start()

    yield begin
    over.set()
    door.shutdown(socket.SHUT_RDWR)
    door.close()
    looking._refusals.clear()


def drip(text: bytes) -> Iterator[bytes]:
    for byte in text:
        threading.Event().wait(0.02)
        yield bytes([byte])


def forever(text: bytes) -> Iterator[bytes]:
    while True:
        yield from drip(text)


def answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def drip_header_lines(_: str) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    yield from forever(b"X: y\r\n")


def drip_status(_: str) -> Iterator[bytes]:
    yield from drip(b"HTTP/1.1 200 " + b"O" * 10_000)


def drip_body(_: str) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    yield from forever(b" ")


def drip_redirects(path: str) -> Iterator[bytes]:
    yield from drip(answer(b"", "302 Found", f"Location: {path}x"))


def say_nothing(_: str) -> Iterator[bytes]:
    yield from (b"" for _ in iter(lambda: threading.Event().wait(0.02), True))


@pytest.mark.parametrize("speak", [drip_header_lines, drip_status, drip_body, drip_redirects, say_nothing])
def test_a_hub_that_drips_is_given_up(serve, monkeypatch, speak):
    monkeypatch.setattr(looking, "SECONDS", 0.3)
    serve(speak)

    assert "did not answer within" in look_up(NAME)


@pytest.mark.parametrize("drips", ["hf_quant_config.json", "model.safetensors.index.json", "model.safetensors"])
def test_a_hub_that_drips_the_second_file_has_told_the_shape(serve, monkeypatch, drips):
    monkeypatch.setattr(looking, "SECONDS", 0.5)

    def speak(path: str) -> Iterator[bytes]:
        if path.endswith("/config.json"):
            yield answer(json.dumps(CONFIG).encode())
        elif path.endswith(drips):
            yield from drip_header_lines(path)
        else:
            yield answer(b"{}", "404 Not Found", "X-Error-Code: EntryNotFound")

    serve(speak)

    assert isinstance(look_up(NAME), ModelShape)


def headers_without_end(_: str) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X-Filler: " + b"y" * 4000 + b"\r\n"


PACKED = gzip.compress(b" " * 2_000_000)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param(headers_without_end, "gave an answer that is no HTTP", id="endless headers"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", "gave an answer that is no HTTP", id="no HTTP"),
        pytest.param(b"", "gave an answer that is no HTTP", id="nothing"),
        pytest.param(answer(PACKED, "200 OK", "Content-Encoding: gzip"), "packed its answer", id="gzip bomb"),
        pytest.param(answer(b"<!DOCTYPE html><title>Sign in"), "perhaps a proxy wants you to sign in", id="login page"),
        pytest.param(answer(b'{"a": '), "is no JSON object", id="half an object"),
        pytest.param(answer(b"[" * 200_000), "is no JSON object", id="deep"),
        pytest.param(answer(b"[]"), "is no JSON object", id="a list"),
        pytest.param(answer(b"\xff\xfe\x00"), "is no JSON object", id="no text"),
        pytest.param(answer(b"\x89PNG", "200 OK", "Content-Type: image/png"), "is no JSON object", id="a picture"),
        pytest.param(answer(b"", "204 No Content"), "answered with status 204", id="204"),
        pytest.param(answer(b"", "304 Not Modified"), "answered with status 304", id="304"),
        pytest.param(answer(b"", "401 Unauthorized"), "it is private", id="401"),
        pytest.param(answer(b"", "403 Forbidden"), "is gated", id="403"),
        pytest.param(answer(b"", "404 Not Found"), "no model acme/parrot-1b", id="404"),
        pytest.param(answer(b"", "407 Proxy Authentication Required"), "answered with status 407", id="407"),
        pytest.param(answer(b"", "429 Too Many Requests"), "answered with status 429", id="429"),
        pytest.param(answer(b"", "502 Bad Gateway", "Retry-After: " + "9" * 400), "answered with status 502", id="502"),
        pytest.param(
            answer(b"", "302 Found", "Location: gopher://127.0.0.1/"), "could not be reached", id="another protocol"
        ),
    ],
)
def test_an_answer_that_is_none_is_one_sentence(serve, said, told):
    serve(said if callable(said) else lambda _: iter([said]))

    assert told in look_up(NAME)


def test_a_hub_that_leads_in_circles_is_told(serve):
    serve(lambda path: iter([answer(b"", "302 Found", f"Location: {path}")]))

    assert "from one address to the next without end" in look_up(NAME)


def files(**said: bytes) -> Speak:
    def speak(path: str) -> Iterator[bytes]:
        name = path.rpartition("/")[2].split(".")[0]
        body = {"config": json.dumps(CONFIG).encode(), **said}.get(name)
        yield answer(body) if body is not None else answer(b"", "404 Not Found", "X-Error-Code: EntryNotFound")

    return speak


def a_header(text: str) -> bytes:
    return len(text).to_bytes(8, "little") + text.encode()


@pytest.mark.parametrize(
    "header",
    [
        "[" * 100_000,
        '{"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 1.5]}}',
        '{"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 1e999]}}',
        '{"a": {"dtype": "BF16", "shape": [1], "data_offsets": [9, 0]}}',
        '{"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 1' + "0" * 400 + "]}}",
        '{"a": {"dtype": ["BF16"], "shape": "x", "data_offsets": "yz"}}',
    ],
)
def test_sizes_that_no_checkpoint_has_are_none(serve, header):
    serve(files(model=a_header(header)))

    assert look_up(NAME).checkpoint_bytes is None


def an_index(total: int) -> bytes:
    return json.dumps({"metadata": {"total_size": total}, "weight_map": {}}).encode()


@pytest.mark.parametrize("total", [0, 10**15])
def test_a_total_that_no_checkpoint_has_is_none(serve, total):
    serve(files(model=an_index(total)))

    assert look_up(NAME).checkpoint_bytes is None


def test_a_total_that_comes_in_two_pieces_is_one_number(serve):
    index = an_index(2_000_000_000)
    cut = index.index(b"0000")

    def speak(path: str) -> Iterator[bytes]:
        if path.endswith("index.json"):
            yield answer(index)[: cut - len(index)]
            threading.Event().wait(0.1)
            yield index[cut:]
        else:
            yield from files()(path)

    serve(speak)

    assert 2_000_000_000 == look_up(NAME).checkpoint_bytes


def test_a_config_that_cannot_be_written_down_is_read_all_the_same(serve):
    serve(files(config=json.dumps({**CONFIG, "remark": "\ud800"}).encode()))

    assert isinstance(look_up(NAME), ModelShape)


def test_who_we_are_at_the_hub_is_told_to_nobody(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "https://maya:hunter2@mirror.example:8443")

    assert "mirror.example:8443" == host()


def test_a_name_server_that_does_not_answer_holds_nobody():
    gate = threading.Event()

    with pytest.raises(OutOfTimeError):
        within(Line(0.05), lambda: gate.wait(60))
    gate.set()


def test_a_line_that_was_cut_has_no_time_left():
    line = Line(60)
    line.cut()

    with pytest.raises(OutOfTimeError):
        line.left()


def test_a_connection_that_is_made_after_the_cut_is_shut():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line = Line(60)
        line.cut()
        line.trace("connection.connect_tcp.complete", {"return_value": SimpleNamespace(get_extra_info=lambda _: ours)})
        theirs.settimeout(5)

        assert b"" == theirs.recv(1)
        line.close()
