"""What is given on the command line, read: ids, days, addresses; what cannot be read is refused with a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import click

from bot.journal.ids import read_id

_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(?::\d{1,5})?(?:/[\w./~-]*)?")
_HOST = re.compile(r"[A-Za-z0-9._:-]{1,253}")
_LONGEST_KEPT = 36_500  # days


class Reading(click.ParamType[Any]):
    """A kind of argument that a function reads, raising a ValueError with a sentence where it cannot."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what the text says; what was read already stays.

        Raises:
            click.BadParameter: It cannot be read.
        """
        try:
            return self._read(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


def read_day(text: str) -> datetime:
    """Return the moment that "2026-11-23" begins, in UTC where no zone is named.

    Raises:
        ValueError: The text names no day.
    """
    try:
        day = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no day; write it like 2026-11-23") from error
    return day if day.tzinfo else day.replace(tzinfo=UTC)


def read_address(text: str) -> str:
    """Return an address that Slack and browsers can call, without a slash at its end.

    Raises:
        ValueError: It is none.
    """
    if not _ADDRESS.fullmatch(text):
        raise ValueError(f"{text!r} is no address that Slack can call; write it like https://triage.example")
    return text.rstrip("/")


def read_host(text: str) -> str:
    """Return an address of this machine, or a name of one.

    Raises:
        ValueError: It cannot be either.
    """
    if not _HOST.fullmatch(text):
        raise ValueError(f"{text!r} is no address to listen on; write it like 127.0.0.1, 0.0.0.0 or ::1")
    return text


def read_name(text: str) -> str:
    """Return the name of a team.

    Raises:
        ValueError: No team can have that name.
    """
    if not text.strip() or text.strip() == "*" or len(text) > 100:
        raise ValueError(f"{text!r} is no name for a team; use up to 100 letters, and not '*'")
    return text.strip()


def read_retention(text: str) -> str:
    """Return for how many days something is kept, as it was written, or "-".

    Raises:
        ValueError: It is no number of days.
    """
    if text != "-" and not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _LONGEST_KEPT):
        raise ValueError(f"{text!r} is no number of days; write one from 1 to {_LONGEST_KEPT}, or '-' to keep all")
    return text


WORKSPACE = Reading("id", partial(read_id, "workspace"))
PERSON = Reading("id", partial(read_id, "person"))
DAY = Reading("day", read_day)
ADDRESS = Reading("address", read_address)
HOST = Reading("host", read_host)
TEAM = Reading("name", read_name)
RETENTION = Reading("days", read_retention)
