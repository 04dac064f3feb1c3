"""A stand-in for the hub on this machine: files by repository, refusals by status."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bot.hub import look_up as looking

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 32000,
    "max_position_embeddings": 16384,
    "torch_dtype": "bfloat16",
}


@dataclass
class StandIn:
    """What the stand-in serves, and what it was asked."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    refusals: dict[str, tuple[int, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)
    delay: float = 0.0
    pause: str = ""  # seconds that a refusal asks for

    def put(self, repository: str, file: str, content: object) -> None:
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.files[f"/{repository}/resolve/main/{file}"] = raw


def _answer(stand_in: StandIn) -> type[BaseHTTPRequestHandler]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/acme/"):  # an app that another test left running may ask for models of its own
                stand_in.asked.append(self.path)
                stand_in.tokens.append(self.headers.get("Authorization"))
            time.sleep(stand_in.delay)
            repository = "/".join(self.path.split("/")[1:3])
            status, code = stand_in.refusals.get(repository, (200, ""))
            if status == 200 and self.path not in stand_in.files:
                known = any(path.startswith(f"/{repository}/") for path in stand_in.files)
                status, code = 404, "EntryNotFound" if known else "RepoNotFound"
            body = stand_in.files[self.path] if status == 200 else b"{}"
            self.send_response(status)
            if code:
                self.send_header("X-Error-Code", code)
            if status >= 400 and stand_in.pause:
                self.send_header("Retry-After", stand_in.pause)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked has heard enough
                self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    return Answer


@pytest.fixture
def hub(monkeypatch, tmp_path) -> Iterator[StandIn]:
    stand_in = StandIn()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _answer(stand_in))
    stand_in.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", stand_in.url)
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_TOKEN", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    looking._refusals.clear()
    yield stand_in
    server.shutdown()
    server.server_close()
