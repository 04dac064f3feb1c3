"""What a person or a program gave, read as the value of a fact."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from bot.deployment import Manifest, Speculation, Wrapper, read_version
from bot.facts import FACTS
from bot.units import Bytes

_MOST = 10**18
"""More bytes or tokens than there are anywhere; what is larger still overflows in arithmetic."""

_LEAST = {"instances": 1, "longest_request": 1, "wanted_concurrency": 1, "host_memory": 1, "used": 0}
"""Of what a person tells: settings of vLLM are refused where a budget is made."""

_MOST_QUOTED = 40
_TOO_LARGE = "{} is larger than anything that is counted here"
_NOT_WHOLE = "{} is no whole number; write it like 32768 or 32K"
_NO_NUMBER = "{} is no number; write it like 0.9"


def fact_value(name: str, raw: object) -> Any:
    """Return `raw`, as a person or a program gave it, as a value of that fact's type.

    Lengths read as vLLM's own flags do: 32k is 32,000, and 32K or 32Ki is 32,768.

    >>> fact_value("max_model_len", "32K"), fact_value("enforce_eager", "yes"), fact_value("concurrency", "1.25x")
    (32768, True, 1.25)

    Raises:
        ValueError: The text is no such value; the sentence says what was wanted.
    """
    kind = FACTS[name]
    value = _READERS[kind.type](raw)
    if kind.choices:
        return _chosen(value, kind.choices)
    if isinstance(value, (int, float)) and abs(value) > _MOST:
        raise ValueError(_TOO_LARGE.format(quote(raw)))
    if name in _LEAST and value < _LEAST[name]:
        raise ValueError(f"{quote(raw)} is too little; it is at least {_LEAST[name]}")
    return value


def quote(raw: object) -> str:
    """Return what was found as a sentence quotes it: whole, or its beginning and how long it is.

    >>> quote("lots"), quote("9" * 400)
    ("'lots'", "'999999999999999999999999999999999999999…' (400 characters)")
    """
    text = repr(raw)
    if len(text) <= _MOST_QUOTED:
        return text
    mark, length = (text[0], len(raw)) if isinstance(raw, str) else ("", len(text))
    return f"{text[:_MOST_QUOTED]}…{mark} ({length:,} characters)"


def _chosen(value: str, choices: tuple[str, ...]) -> str:
    found = next((choice for choice in choices if choice.lower() == value.lower()), None)
    if found is None:
        raise ValueError(f"{quote(value)} is none of {', '.join(choices)}")
    return found


_SUFFIXES = {"k": 1000, "m": 1000**2, "K": 1024, "M": 1024**2, "Ki": 1024, "Mi": 1024**2}
_YES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _int(raw: object) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return int(raw)
    text = str(raw).strip().replace(",", "").replace("_", "").replace(" ", "")
    number = text.rstrip("kKmMi")
    try:
        value = float(number) * (_SUFFIXES[suffix] if (suffix := text[len(number) :]) else 1)
    except (ValueError, KeyError) as error:
        raise ValueError(_NOT_WHOLE.format(quote(raw))) from error
    if math.isinf(value):
        raise ValueError(_TOO_LARGE.format(quote(raw)))
    if not value.is_integer():
        raise ValueError(_NOT_WHOLE.format(quote(raw)))
    return int(value)


def _float(raw: object) -> float:
    try:
        value = float(str(raw).strip().removesuffix("x").replace(",", ""))
    except ValueError as error:
        raise ValueError(_NO_NUMBER.format(quote(raw))) from error
    if math.isinf(value):
        raise ValueError(_TOO_LARGE.format(quote(raw)))
    if math.isnan(value):
        raise ValueError(_NO_NUMBER.format(quote(raw)))
    return value


def _bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    try:
        return _YES[str(raw).strip().lower()]
    except KeyError as error:
        raise ValueError(f"{quote(raw)} is neither yes nor no") from error


def _bytes(raw: object) -> Bytes:
    if isinstance(raw, (int, Bytes)) and not isinstance(raw, bool):
        return Bytes(raw)
    text = str(raw).strip()
    if "." in text and text.replace(".", "", 1).isdigit():
        raise ValueError(f"{quote(raw)} has no unit; write it like 8 GiB")
    return Bytes.parse(text, decimal_prefix="binary")


def _text(raw: object) -> str:
    return str(raw).strip()


def _speculation(raw: object) -> Speculation:
    if isinstance(raw, Speculation):
        return raw
    try:
        said = json.loads(raw) if isinstance(raw, str) else raw
        if isinstance(said, Mapping) and "num_speculative_tokens" in said:  # as --speculative-config calls it
            said = {**said, "tokens": said["num_speculative_tokens"]}
            del said["num_speculative_tokens"]
        return Speculation.model_validate(said)
    except (ValueError, RecursionError) as error:
        raise ValueError(f'{quote(raw)} is no speculation; write it like {{"method": "mtp", "tokens": 2}}') from error


def _limits(raw: object) -> dict[str, int]:
    if not isinstance(raw, Mapping):
        raise ValueError(f'{quote(raw)} is no limit for each kind of item; write it like {{"image": 2}}')
    return {str(name): _int(count) for name, count in raw.items()}


def _pairs(raw: object) -> tuple[tuple[str, str], ...]:
    """Read a mapping, pairs, or "A=1 B=2"."""
    given: object = raw.items() if isinstance(raw, Mapping) else raw
    if isinstance(given, str):
        given = [word.partition("=")[::2] for word in given.split()]
    try:
        return tuple(sorted((str(name), str(value)) for name, value in given))  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise ValueError(f'{quote(raw)} are no variables; write them like {{"NAME": "value"}}') from error


def _words(raw: object) -> tuple[str, ...]:
    if isinstance(raw, str):
        return tuple(raw.split())
    return tuple(map(str, raw)) if isinstance(raw, Iterable) else (str(raw),)


def _counts(raw: object) -> tuple[int, ...]:
    """Read whole numbers: a list, or "1, 2, 4"."""
    given = re.split(r"[\s,]+", raw.strip("[] ")) if isinstance(raw, str) else raw
    return tuple(map(_int, given)) if isinstance(given, Iterable) else (_int(given),)


def _found_around(form: TypeAdapter[Any], raw: object) -> Any:
    """Read what stands around a command, which nobody sets by name."""
    try:
        return form.validate_python(raw)
    except ValueError as error:
        raise ValueError(f"{quote(raw)} is no such thing; it is read off a command or a file") from error


_READERS: Mapping[str, Callable[[object], Any]] = {
    "int": _int,
    "float": _float,
    "bool": _bool,
    "text": _text,
    "bytes": _bytes,
    "version": read_version,
    "speculation": _speculation,
    "limits": _limits,
    "pairs": _pairs,
    "words": _words,
    "counts": _counts,
    "wrappers": partial(_found_around, TypeAdapter(tuple[Wrapper, ...])),
    "manifest": partial(_found_around, TypeAdapter(Manifest)),
}
