"""What was once read of the hub, in the user's caches: ours, and the one that vLLM fills as it loads models."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from bot.catalog.user_cache import read_cached, write_cached
from bot.hub.fetch import host
from bot.hub.record import Record

DAYS_KEPT = 30
"""How long a record counts; a model's shape all but never changes."""


def kept(repository: str) -> Record | None:
    """Return what an earlier look at the same hub left behind."""
    left = read_cached(*_place(repository), since=time.time() - DAYS_KEPT * 86_400)
    try:
        return Record.model_validate_json(left) if left else None
    except ValidationError:
        return None


def keep(repository: str, record: Record) -> None:
    """Leave a record behind."""
    with suppress(ValueError):  # a text with half a surrogate pair cannot be written
        write_cached(record.model_dump_json().encode(), *_place(repository))


def downloaded(repository: str) -> Record | None:
    """Return what the hub's own cache on this machine holds: a model that vLLM has loaded here needs no network."""
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415  # heavy, and needed for unknown models only

    found: dict[str, object] = {}
    for field, file in (("config", "config.json"), ("quantization", "hf_quant_config.json")):
        path = try_to_load_from_cache(repository, file)
        if isinstance(path, str):
            with suppress(OSError, ValueError, RecursionError):
                found[field] = json.loads(Path(path).read_bytes())
    try:
        return Record.model_validate(found)
    except ValidationError:
        return None


def _place(repository: str) -> tuple[str, str, str]:
    return "hub", host().replace(":", "_"), f"{repository.replace('/', '--')}.kept"
