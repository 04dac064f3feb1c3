"""How a file of the hub is fetched: within a time, up to a size, with one sentence for every refusal."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.hub.line import Line, OutOfTimeError

if TYPE_CHECKING:
    from httpx2 import Client

SECONDS = 4.0
"""How long one model may take, all its files together."""

MOST_BYTES = 8 * 2**20
"""Of one file; the largest configs have some 100 KiB, the largest headers a few MiB."""

_MOST_REDIRECTS = 5  # a file of the hub takes one or two
TOO_SLOW = f"did not answer within {SECONDS:g} seconds"
_SILENCES: Mapping[str, str] = {
    "TimeoutException": TOO_SLOW,
    "TooManyRedirects": "sends me from one address to the next without end",
    "ProtocolError": "gave an answer that is no HTTP",
    "ProxyError": "could not be reached: the proxy refuses",
}
"""What to say of an error, by the name of its kind in the HTTP library."""

INSTEAD = "Give me its config.json instead."


class AbsentError(Exception):
    """The repository is there, the file is not."""


class RefusedError(Exception):
    """The hub has an answer, and it is no: one sentence."""


class UnreachableError(RefusedError):
    """The hub has no answer: the next model would wait in vain too.

    `later` is what to say of that one; `seconds` is how long the hub asked to be left alone, if it said so.
    """

    def __init__(self, what: str, repository: str, seconds: float | None = None) -> None:
        super().__init__(f"{host()} {what}. {INSTEAD}")
        self.later = f"{host()} {what} when I asked it for {repository}; I ask it again in a while. {INSTEAD}"
        self.seconds = seconds


def endpoint() -> str:
    """Return the address of the hub."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def host() -> str:
    """Return the hub's host, as people call it; who we are there is nobody else's."""
    return urlsplit(endpoint()).netloc.rpartition("@")[2] or endpoint()


def is_offline() -> bool:
    """Return whether the environment forbids asking the hub."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(os.environ.get(name, "").upper() in {"1", "ON", "YES", "TRUE"} for name in names)


@contextmanager
def opened(line: Line) -> Generator[Hub]:
    """Yield the hub for one look, all of whose files share a connection and the time."""
    from httpx2 import Client  # noqa: PLC0415  # heavy, and needed for unknown models only

    with Client(follow_redirects=True, max_redirects=_MOST_REDIRECTS) as client:
        yield Hub(client, line)


@dataclass(frozen=True)
class Hub:
    """The hub, for as long as one look at it may take."""

    client: Client
    line: Line

    def stream(self, repository: str, file: str) -> Iterator[bytes]:
        """Yield a file's bytes, the first `MOST_BYTES` of it.

        Raises:
            AbsentError: There is no such file.
            RefusedError: The hub will not give it, or does not answer in time.
        """
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415
        from huggingface_hub import hf_hub_url  # noqa: PLC0415
        from huggingface_hub.utils import build_hf_headers  # noqa: PLC0415

        url = hf_hub_url(repository, file, endpoint=endpoint())
        # Nothing packed: a few bytes of that unpack to gigabytes, and at once.
        wanted = {"Range": f"bytes=0-{MOST_BYTES}", "Accept-Encoding": "identity"}
        headers = {**build_hf_headers(library_name="vllm-triage"), **wanted}
        try:
            left, seen = self.line.left(), {"trace": self.line.trace}
            with self.client.stream("GET", url, headers=headers, timeout=left, extensions=seen) as response:
                _check(response.status_code, response.headers, repository)
                yield from self._bounded(response.iter_raw())
        except (HTTPError, InvalidURL, OSError, OutOfTimeError) as error:
            raise UnreachableError(self._silence(error), repository) from error

    def _bounded(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        held = 0
        for piece in pieces:
            self.line.left()
            held += len(piece)
            yield piece
            if held > MOST_BYTES:
                return

    def _silence(self, error: Exception) -> str:
        """Say why there is no answer; what a line that was cut says of itself is not the reason."""
        try:
            self.line.left()
        except OutOfTimeError:
            return TOO_SLOW
        names = {kind.__name__ for kind in type(error).__mro__}
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return "has a certificate that this machine does not trust"
        return next((said for name, said in _SILENCES.items() if name in names), "could not be reached")


def _check(status: int, headers: Mapping[str, str], repository: str) -> None:
    """Source: the hub's own error codes; a mirror without them is read by status."""
    code, pause = headers.get("X-Error-Code", ""), headers.get("Retry-After", "")
    if status in {200, 206}:
        if headers.get("Content-Encoding", "identity") != "identity":
            raise RefusedError(f"{host()} packed its answer for {repository}, which I did not ask for. {INSTEAD}")
        return
    if code == "GatedRepo" or (status == 403 and not code):
        raise RefusedError(f"{repository} is gated on {host()}: accept its licence there and set HF_TOKEN. {INSTEAD}")
    if code == "EntryNotFound" or (status == 404 and not code):
        raise AbsentError
    if status in {401, 404}:
        raise RefusedError(
            f"{host()} has no model {repository}, or it is private: check the spelling, or set HF_TOKEN. {INSTEAD}"
        )
    if status < 500 and not pause.isdecimal():
        raise RefusedError(f"{host()} answered with status {status} for {repository}. {INSTEAD}")
    raise UnreachableError(f"answered with status {status}", repository, float(pause) if pause.isdecimal() else None)
