"""Logs without content: what happened where, never what people said.

The standard library's logging, because everything we stand on logs through it and must come out in the same shape.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Literal

from bot.reading.noise.scrub import scrub

# Exceptions whose words are ours, the system's or a server's; any other's may quote what it was given.
_TELLING = (
    "bot.",
    "builtins.OSError",
    "builtins.ConnectionError",
    "builtins.TimeoutError",
    "urllib.error.",
    "socket.",
    "ssl.",
    "slack_sdk.errors.",
    "sqlalchemy.exc.OperationalError",
    "sqlalchemy.exc.TimeoutError",
)
_MOST_FRAMES = 12


def write_logs(form: Literal["console", "json"], level: str) -> None:
    """Write this process's logs to its standard error, one line an event in JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Console())
    handler.addFilter(is_told)  # here: Bolt gives its loggers the level of the root
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def is_told(record: logging.LogRecord) -> bool:
    """Say whether a record is written: Bolt and the SDK put whole requests into those for debugging."""
    if record.name.startswith("slack_bolt") and "`token` will be unused" in record.getMessage():
        return False  # Bolt finds SLACK_BOT_TOKEN by itself, and warns that the client we gave it has one
    return record.levelno >= logging.INFO or not record.name.startswith(("slack_bolt", "slack_sdk"))


class Console(logging.Formatter):
    """One line an event, then where a fault came from."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        lines = [f"{at} {record.levelname} {record.name}: {scrub(record.getMessage())}"]
        if record.exc_info and record.exc_info[1]:
            lines += [f"  {_words(record.exc_info[1])}", *(f"    {frame}" for frame in _frames(record.exc_info[1]))]
        return "\n".join(lines)


class JsonLines(logging.Formatter):
    """One JSON object an event."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        told: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": scrub(record.getMessage()),
            "process": record.process,
            "thread": record.threadName,
        }
        if record.exc_info and record.exc_info[1]:
            told |= {"error": _words(record.exc_info[1]), "frames": _frames(record.exc_info[1])}
        return json.dumps(told, ensure_ascii=False)


def _words(error: BaseException) -> str:
    """Return an exception's name, and its words where they quote nobody."""
    names = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]
    words = str(error).partition("\n")[0] if any(name.startswith(_TELLING) for name in names) else ""
    return f"{type(error).__name__}: {scrub(words)}" if words else type(error).__name__


def _frames(error: BaseException) -> list[str]:
    """Return where an exception passed, without the lines' text."""
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
