"""A command in what it was given to: `bash -c "…"`, `ssh host '…'`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from bot.catalog.flags import Flags
from bot.deployment import Deployment, Wrapper
from bot.diagnosis.fixes.arguments import arguments
from bot.diagnosis.fixes.spelling import without_secret
from bot.evidence import Line
from bot.reading.commands.shell import join_written, written_words
from bot.reading.readers import reader_of

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})


def wrapped(command: str, deployment: Deployment, flags: Flags) -> str:
    """Return a command within what it was given to; where it cannot be quoted again, a line that says within what.

    What is offered reads as the command itself, or it is not offered.
    """
    if not deployment.wrappers:
        return command
    whole = command
    for around in deployment.wrappers:
        whole = _within(whole, around, flags)
    if all(around.quote for around in deployment.wrappers) and _inside(whole) == _inside(command):
        return whole
    outermost = deployment.wrappers[-1]
    return f"# within: {_safe(outermost.before, flags)} …\n{command}"


def _within(command: str, around: Wrapper, flags: Flags) -> str:
    inside = join_written(filter(None, [_safe(around.lead, flags), command, *_kept(around.tail, flags)]))
    word = f'"{inside.translate(_ESCAPES)}"' if around.quote == '"' else shlex.quote(inside)
    return " ".join(filter(None, [_safe(around.before, flags), word, _safe(around.after, flags)]))


def _safe(text: str, flags: Flags) -> str:
    """Return written words without the secrets among them."""
    return join_written(_kept(text, flags))


def _kept(text: str, flags: Flags) -> Iterator[str]:
    for taken in arguments(written_words(text), flags):
        yield from without_secret(taken)


def _inside(text: str) -> object:
    """Return the command that is read in a text."""
    lines = [Line(number=number, text=line) for number, line in enumerate(text.splitlines(), 1)]
    return reader_of("commands.command")(lines).value("command")
