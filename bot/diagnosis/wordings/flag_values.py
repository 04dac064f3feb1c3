"""What stands behind flags and is no value that vLLM takes: nothing at all, words for numbers, numbers for switches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from bot.catalog.flags import Flag, Flags
from bot.fact_values import fact_value, quote
from bot.facts import FACTS
from bot.reading.argument_values import as_bytes, as_count, as_float, as_positive
from bot.reading.commands.arguments import RECORDS, full_name, read_argument

_NONE = frozenset({"none", "null"})
_SAID_OF_SWITCHES = frozenset({"0", "1", "true", "false"})
_OF_NUMBERS = frozenset({"cudagraph_capture_sizes", "cuda_graph_sizes"})
"""Lists whose every value is a whole number above zero."""

_MOST_VALUES = 8
_PLACEHOLDER = re.compile(r"[$<{]")
_RECORD = re.compile(r"[{\[]")
_WANTED = {
    "int": "a whole number",
    "float": "a number",
    "bytes": "an amount of memory, such as 8G",
    "json": "a JSON object",
    "list": "one value or more",
    "text": "a word",
}
_READERS: Mapping[str, Callable[[str], object]] = {
    "int": as_count,
    "float": as_float,
    "bytes": as_bytes,
    "json": _RECORD.match,
}


class Misfit(NamedTuple):
    """A flag with a value that is none of it, in one sentence; `fact` is what it would have set."""

    fact: str | None
    sentence: str


def misfits(said: Iterable[tuple[str, str]], flags: Flags) -> Iterator[Misfit]:
    """Yield what vLLM's parser does not take, of each flag and the value behind it, however often a flag is given.

    A value that only the start refuses, such as zero GPUs, is none of them: of a flag given twice the last one counts.

    Source: vLLM 0.33 `engine/arg_utils.py`, get_kwargs: what each type of field reads as, and switches that take no value.
    """
    for name, value in said:
        row = flags.by_name(name) or flags.by_name(full_name(name))
        if row is None or row.is_environment or full_name(name) in RECORDS:
            continue
        sentence = _say_switch(name, value, row) if row.type == "switch" else _say_value(name, value, row)
        if sentence:
            yield Misfit(row.fact, f"{FACTS[row.fact].label}: {sentence}" if row.fact else f"{sentence}.")


def behind(row: Flag | None, value: str) -> str:
    """Return the value that stands behind a flag; behind a switch a word that is none goes on with the sentence."""
    return "" if row and row.type == "switch" and value.lower() not in _SAID_OF_SWITCHES else value


def _say_switch(name: str, value: str, row: Flag) -> str | None:
    if not value:
        return None
    instead = f"; {row.negation} switches it off" if row.negation and name != row.negation else ""
    return f"{name} takes no value, not {quote(value)}{instead}"


def _say_value(name: str, value: str, row: Flag) -> str | None:
    if not value:
        return f"{name} has no value; it takes {_wanted(row)}"
    if value.lower() in _NONE or _is_filled_in_later(value):
        return None
    if full_name(name) in _OF_NUMBERS:
        odd = next((item for item in re.split(r"[\s,\[\]]+", value) if item and as_positive(item) is None), None)
        return f"{name} takes whole numbers above zero, not {quote(odd)}" if odd else None
    if row.fact and row.type in _READERS:
        return None if read_argument(name, value) else _refusal(row.fact, value)
    reads = _READERS.get(row.type, str)
    is_read = read_argument(name, value) if row.fact else reads(value) is not None
    return None if is_read else f"{name} takes {_wanted(row)}, not {quote(value)}"


def _wanted(row: Flag) -> str:
    more = " …" if row.values[_MOST_VALUES:] else ""
    return f"one of {', '.join(row.values[:_MOST_VALUES])}{more}" if row.values else _WANTED[row.type]


def _is_filled_in_later(value: str) -> bool:
    """Return whether a shell or a template puts something in the value's place."""
    return _PLACEHOLDER.match(value) is not None and not _RECORD.match(value)


def _refusal(fact: str, value: str) -> str | None:
    try:
        fact_value(fact, value)
    except ValueError as error:
        return str(error)
    return None
