"""JSON Lines at the command line: a question a line, an answer a line, whatever is wrong with the others."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

import click

from bot.catalog.faults import KnowledgeError
from bot.cli.text_files import LONGEST_ROW, refuse_endless

Row = dict[str, Any]

# Keys whose value is an object, with one to follow.
_OBJECTS = {"facts": '{"gpu": "L4"}', "measured": '{"weights_gib": 14.2}', "config": "a model's own config.json"}


def standard_input() -> TextIO:
    """Return the standard input as UTF-8; bytes that are none become replacement signs.

    Raises:
        OSError: It is a device without end.
    """
    _refuse_endless_input()
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    return sys.stdin


def _refuse_endless_input() -> None:
    try:
        descriptor = sys.stdin.fileno()
    except io.UnsupportedOperation:  # a text in memory
        return
    try:
        refuse_endless(descriptor)
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard input") from error


def answer_lines(lines: Iterable[str], answer: Callable[[Row], Mapping[str, Any]], *, needs_text: bool) -> None:
    """Print the answer to each line under its `id`; what is no question gets an `error` instead.

    Raises:
        Exception: A fault of ours, the first that there was, once each line has its answer or error.
    """
    faults: list[Exception] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            row, odd = _read(line, needs_text=needs_text)
            said = {"error": f"line {number}{odd}"} if odd else _answer(row, answer, number, faults)
            show_json({"id": row.get("id"), **said})
    if faults:
        raise faults[0]


def _answer(
    row: Row, answer: Callable[[Row], Mapping[str, Any]], number: int, faults: list[Exception]
) -> Mapping[str, Any]:
    """Return the answer to a row, or an error where we cannot: what comes behind it has an answer of its own."""
    try:
        return answer(row)
    except (click.ClickException, OSError, KnowledgeError):  # no row can help it
        raise
    except Exception as error:  # noqa: BLE001 - raised when all rows had their turn
        faults.append(error)
        return {"error": f"line {number} met a fault of ours: {type(error).__name__}"}


def show_json(said: Mapping[str, Any]) -> None:
    """Print an object on one line; what this output cannot write, such as half a character, is escaped."""
    line = json.dumps(said, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        line = json.dumps(said)
    click.echo(line)


def _read(line: str, *, needs_text: bool) -> tuple[Row, str]:
    """Return a row, and how a sentence about its line goes on when it is no question."""
    try:
        row = json.loads(line.strip(), parse_constant=_refuse)
    except (RecursionError, ValueError) as error:
        return {}, _say_no_json(line, error)
    if not isinstance(row, dict):
        return {}, ': wanted an object with "text"'
    if needs_text and not isinstance(row.get("text"), str):
        return row, ': wanted an object with "text"'
    odd = next((name for name in _OBJECTS if not isinstance(row.get(name), dict | None)), None)
    return row, f': wanted an object in "{odd}", such as {_OBJECTS[odd]}' if odd else ""


def _say_no_json(line: str, error: Exception) -> str:
    if len(line) >= LONGEST_ROW:
        return f" has {LONGEST_ROW:,} characters or more; give a file of its own to `vllm-triage ask`"
    if isinstance(error, json.JSONDecodeError):
        return f" is no JSON: {error.msg} at column {error.colno}"
    if isinstance(error, RecursionError):
        return " is no JSON that can be read: it nests too deep"
    return " is no JSON that can be read: it holds a number that is none, or one without end"


def _refuse(constant: str) -> None:
    """NaN and Infinity are Python's own; no JSON has them."""
    raise ValueError(constant)
