"""How a file of the hub is fetched: within a time, up to a size, with one sentence for every refusal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from urllib.parse import urlsplit

SECONDS = 4.0
"""How long one model may take, all its files together."""

MOST_BYTES = 8 * 2**20
"""Of one file; the largest configs have some 100 KiB, the largest headers a few MiB."""

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
    """Return the hub's host, as people call it."""
    return urlsplit(endpoint()).netloc or endpoint()


def is_offline() -> bool:
    """Return whether the environment forbids asking the hub."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(os.environ.get(name, "").upper() in {"1", "ON", "YES", "TRUE"} for name in names)


def stream(repository: str, file: str, deadline: float) -> Iterator[bytes]:
    """Yield a file's bytes, the first `MOST_BYTES` of it; `deadline` is on the monotonic clock.

    Raises:
        AbsentError: There is no such file.
        RefusedError: The hub will not give it, or does not answer in time.
    """
    from httpx2 import HTTPError  # noqa: PLC0415  # heavy, and needed for unknown models only
    from huggingface_hub import hf_hub_url  # noqa: PLC0415
    from huggingface_hub.utils import build_hf_headers, get_session  # noqa: PLC0415

    left = partial(_left, repository, deadline)
    url = hf_hub_url(repository, file, endpoint=endpoint())
    headers = {**build_hf_headers(library_name="vllm-triage"), "Range": f"bytes=0-{MOST_BYTES}"}
    try:
        with get_session().stream("GET", url, headers=headers, timeout=left()) as response:
            _check(response.status_code, response.headers, repository)
            yield from _bounded(response.iter_bytes(), left)
    except (HTTPError, OSError) as error:
        raise UnreachableError(_silence(type(error).__name__), repository) from error


def _check(status: int, headers: Mapping[str, str], repository: str) -> None:
    """Source: the hub's own error codes; a mirror without them is read by status."""
    code, pause = headers.get("X-Error-Code", ""), headers.get("Retry-After", "")
    if status < 400:
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


def _bounded(pieces: Iterator[bytes], left: Callable[[], float]) -> Iterator[bytes]:
    held = 0
    for piece in pieces:
        left()
        held += len(piece)
        yield piece
        if held > MOST_BYTES:
            return


def _left(repository: str, deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise UnreachableError(_silence("Timeout"), repository)
    return left


def _silence(kind: str) -> str:
    """Say that nobody answered; every HTTP library has "timeout" somewhere in that error's name."""
    if "timeout" in kind.lower():
        return f"did not answer within {SECONDS:g} seconds"
    return "could not be reached"
