"""What is kept of a model, and how it is read off the hub's files."""

from __future__ import annotations

import json
import re
from math import prod
from typing import Any, cast

from bot.deployment import Frozen
from bot.hub.fetch import INSTEAD, MOST_BYTES, AbsentError, RefusedError, host, stream

_INDEX_HEAD = 2**16  # the index tells its total in its first lines
_TOTAL = re.compile(r'"total_size"\s*:\s*(\d{1,16})')
_PARAMETERS = re.compile(r'"total_parameters"\s*:\s*(\d{1,16})')
_PLAIN = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})  # one stored number, one parameter


class Record(Frozen):
    """The files of a model that sizing needs, and the size of its weights."""

    config: dict[str, Any]
    quantization: dict[str, Any] | None = None  # hf_quant_config.json
    total: int | None = None  # bytes of the checkpoint
    parameters: int | None = None


def read_record(repository: str, deadline: float) -> Record:
    """Return what the hub has of a model.

    Raises:
        RefusedError: The hub will not give its config.json, or does not answer in time.
    """
    config = _json(repository, "config.json", deadline)
    if config is None:
        raise RefusedError(f"{host()} has no model {repository}, or no config.json in it. {INSTEAD}")
    told = config.get("quantization_config")
    method = cast("dict[str, Any]", told).get("quant_method") if isinstance(told, dict) else None
    second = _json(repository, "hf_quant_config.json", deadline) if method in {None, "modelopt"} else None
    total, parameters = _weights(repository, deadline)
    return Record(config=config, quantization=second, total=total, parameters=parameters)


def _json(repository: str, file: str, deadline: float) -> dict[str, Any] | None:
    try:
        text = b"".join(stream(repository, file, deadline))
    except AbsentError:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedError(f"The {file} of {repository} is no JSON. {INSTEAD}") from None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _weights(repository: str, deadline: float) -> tuple[int | None, int | None]:
    """Read bytes and parameters off the index, or off the header of the only file.

    The shape is known by now: that the hub has neither is no failure.
    """
    try:
        return _from_index(repository, deadline)
    except AbsentError:
        pass
    except RefusedError:
        return None, None
    try:
        return _from_header(repository, deadline)
    except (AbsentError, RefusedError):
        return None, None


def _from_index(repository: str, deadline: float) -> tuple[int | None, int | None]:
    text = ""
    for piece in stream(repository, "model.safetensors.index.json", deadline):
        text += piece.decode(errors="replace")
        if len(text) > _INDEX_HEAD and _TOTAL.search(text):
            break
    total, parameters = _TOTAL.search(text), _PARAMETERS.search(text)
    return (int(total[1]) if total else None, int(parameters[1]) if parameters else None)


def _from_header(repository: str, deadline: float) -> tuple[int | None, int | None]:
    """Source: safetensors' layout: eight bytes with the header's length, the header, then the tensors."""
    head, wanted = b"", MOST_BYTES
    for piece in stream(repository, "model.safetensors", deadline):
        head += piece
        if len(head) >= 8:
            wanted = 8 + int.from_bytes(head[:8], "little")
        if len(head) >= wanted or wanted > MOST_BYTES:
            break
    try:
        tensors = [row for name, row in json.loads(head[8:wanted]).items() if name != "__metadata__"]
        total = sum(row["data_offsets"][1] - row["data_offsets"][0] for row in tensors)
        plain = all(row["dtype"] in _PLAIN for row in tensors)
        return total, sum(prod(row["shape"]) for row in tensors) if plain else None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None, None
