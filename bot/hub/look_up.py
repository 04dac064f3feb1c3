"""From the name of a model that the catalogue does not know to its shape, by way of the hub."""

from __future__ import annotations

import re
import time

from bot.catalog.config.read_config import UnreadableConfigError, read_config
from bot.catalog.names import spell
from bot.hub.fetch import INSTEAD, SECONDS, RefusedError, UnreachableError, endpoint, host, is_offline
from bot.hub.keep import downloaded, keep, kept
from bot.hub.record import Record, read_record
from bot.model_shape import ModelShape
from bot.units import Bytes

_WAIT_SECONDS = 300.0  # after a refusal, before the same is asked again; at most, where the hub says how long
# Source: huggingface_hub, `validate_repo_id`; of other names it makes an error.
_ID = re.compile(
    r"(?!.*(?:--|\.\.|\.git\Z))[A-Za-z0-9][\w.-]{0,95}(?<![.-])/[A-Za-z0-9][\w.-]{0,95}(?<![.-])", re.ASCII
)
_LOCAL = ("/", "./", "../", "~", "\\")
_MOST_REFUSALS = 1000
_refusals: dict[str, tuple[float, str]] = {}  # an endpoint, or one model of it → until when, and the sentence


def look_up(name: str) -> ModelShape | str | None:
    """Return the shape of a model on the hub, a sentence why it cannot be read, or None where `name` is no hub name.

    The user's caches come first, then HF_ENDPOINT with HF_TOKEN unless HF_HUB_OFFLINE forbids it. It takes at most
    `SECONDS`; a hub that did not answer, or asked to be left alone, is not asked again for a while.
    """
    repository = repository_of(name)
    if repository is None:
        return None
    try:
        return _shape(repository, kept(repository) or downloaded(repository) or _fetched(repository))
    except RefusedError as error:
        return str(error)
    except UnreadableConfigError as error:
        return f"The config.json of {repository} does not tell what sizing needs: {error}"


def recall(name: str) -> ModelShape | None:
    """Return what an earlier look left behind; nobody is asked, so that nobody waits."""
    repository = repository_of(name)
    record = kept(repository) if repository else None
    try:
        return _shape(repository, record) if repository and record else None
    except UnreadableConfigError:
        return None


def repository_of(name: str) -> str | None:
    """Return the hub's name of a model: of an id, an address or a path in the hub's cache; None for other paths.

    >>> repository_of("https://huggingface.co/acme/parrot-7b"), repository_of("/data/parrot"), repository_of("parrot 7b")
    ('acme/parrot-7b', None, None)
    """
    if name.startswith(_LOCAL) and "models--" not in name:
        return None
    spelling = spell(name)
    if spelling is None or not spelling.organisation:
        return None
    full = f"{spelling.organisation}/{spelling.base}"
    return full if _ID.fullmatch(full) else None


def _shape(repository: str, record: Record) -> ModelShape:
    shape = read_config(record.config, record.quantization, repository)
    known = {"checkpoint_bytes": record.total and Bytes(record.total), "parameters": record.parameters}
    told = {name: value for name, value in known.items() if value}
    return shape.model_copy(update={**told, "source": f"config.json of {repository}"})


def _fetched(repository: str) -> Record:
    if is_offline():
        raise RefusedError(f"HF_HUB_OFFLINE keeps me from asking {host()} for it. {INSTEAD}")
    here, this = endpoint(), f"{endpoint()}/{repository}"
    for place in (this, here):
        until, sentence = _refusals.get(place, (0.0, ""))
        if time.monotonic() < until:
            raise RefusedError(sentence)
    try:
        record = read_record(repository, SECONDS)
    except RefusedError as error:
        if isinstance(error, UnreachableError):
            _remember(here, error.later, error.seconds)
        _remember(this, str(error))
        raise
    keep(repository, record)
    return record


def _remember(place: str, sentence: str, seconds: float | None = None) -> None:
    if len(_refusals) >= _MOST_REFUSALS:
        _refusals.clear()
    wait = _WAIT_SECONDS if seconds is None else min(seconds, _WAIT_SECONDS)
    _refusals[place] = (time.monotonic() + wait, sentence)
