"""What is kept of a model, and how it is read off the hub's files."""

from __future__ import annotations

import json
import re
from math import prod
from typing import Any, cast

from bot.frozen import Frozen
from bot.hub.fetch import (
    INSTEAD,
    MOST_BYTES,
    TOO_SLOW,
    AbsentError,
    Hub,
    RefusedError,
    UnreachableError,
    host,
    opened,
)
from bot.hub.line import Line, OutOfTimeError, within

_INDEX_HEAD = 2**16  # characters; the index tells its figures side by side, in its first lines
# What ends a number must be there: a piece of the file may end within it.
_TOTAL = re.compile(r'"total_size"\s*:\s*(\d{1,16}+)(?=\D)')
_PARAMETERS = re.compile(r'"total_parameters"\s*:\s*(\d{1,16}+)(?=\D)')
_MOST = 10**15  # bytes or parameters: a thousand times what anybody has
_PLAIN = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})  # one stored number, one parameter


class Record(Frozen):
    """The files of a model that sizing needs, and the size of its weights."""

    config: dict[str, Any]
    quantization: dict[str, Any] | None = None  # hf_quant_config.json
    total: int | None = None  # bytes of the checkpoint
    parameters: int | None = None


def read_record(repository: str, seconds: float) -> Record:
    """Return what the hub has of a model.

    Raises:
        RefusedError: The hub will not give its config.json, or does not answer in time.
    """
    line = Line(seconds)
    try:
        return within(line, lambda: _read(repository, line))
    except OutOfTimeError as error:
        raise UnreachableError(TOO_SLOW, repository) from error


def _read(repository: str, line: Line) -> Record:
    with opened(line) as hub:
        config = _json(hub, repository, "config.json")
        if config is None:
            raise RefusedError(f"{host()} has no model {repository}, or no config.json in it. {INSTEAD}")
        told = config.get("quantization_config")
        method = cast("dict[str, Any]", told).get("quant_method") if isinstance(told, dict) else None
        second = _second(hub, repository) if method in {None, "modelopt"} else None
        total, parameters = _weights(hub, repository)
    return Record(config=config, quantization=second, total=total, parameters=parameters)


def _second(hub: Hub, repository: str) -> dict[str, Any] | None:
    """Return ModelOpt's file; that there is time for one file only is no failure."""
    try:
        return _json(hub, repository, "hf_quant_config.json")
    except UnreachableError:
        return None


def _json(hub: Hub, repository: str, file: str) -> dict[str, Any] | None:
    try:
        text = b"".join(hub.stream(repository, file))
    except AbsentError:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return cast("dict[str, Any]", found)
    if text.lstrip()[:1] == b"<":
        raise RefusedError(f"{host()} answered with a web page: perhaps a proxy wants you to sign in. {INSTEAD}")
    raise RefusedError(f"The {file} of {repository} is no JSON object. {INSTEAD}")


def _weights(hub: Hub, repository: str) -> tuple[int | None, int | None]:
    """Read bytes and parameters off the index, or off the header of the only file.

    The shape is known by now: that the hub has neither is no failure.
    """
    for read in (_from_index, _from_header):
        try:
            total, parameters = read(hub, repository)
        except AbsentError:
            continue
        except RefusedError:
            break
        return _plausible(total), _plausible(parameters)
    return None, None


def _plausible(count: Any) -> int | None:
    return count if isinstance(count, int) and 0 < count < _MOST else None


def _from_index(hub: Hub, repository: str) -> tuple[Any, Any]:
    text, total = "", None
    for piece in hub.stream(repository, "model.safetensors.index.json"):
        text = text[-_INDEX_HEAD:] + piece.decode(errors="replace")
        total = total or _TOTAL.search(text)
        if total and len(text) > _INDEX_HEAD:
            break
    parameters = _PARAMETERS.search(text)
    return (int(total[1]) if total else None, int(parameters[1]) if parameters else None)


def _from_header(hub: Hub, repository: str) -> tuple[Any, Any]:
    """Source: safetensors' layout: eight bytes with the header's length, the header, then the tensors."""
    head, wanted = bytearray(), MOST_BYTES
    for piece in hub.stream(repository, "model.safetensors"):
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
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
        return None, None
