"""Dockerfile instructions: `FROM`, `CMD` and `ENTRYPOINT`; `ENV` is read with every other assignment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from bot.deployment import Manifest
from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.argument_values import read_structure, read_version
from bot.reading.commands.command import read_listed
from bot.reading.commands.shell import Word
from bot.reading.figures import note

_FROM = re.compile(r"\s*FROM\s+\S{0,200}vllm\S{0,200}?:v?(?!2\d\.\d\d)(\d+\.\d+[\w.]*)")
_RUN = re.compile(r"\s*(?P<key>CMD|ENTRYPOINT)\s+(?P<list>\[.*)", re.DOTALL)
MOST_LINES = 60
"""Lines of one instruction."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.){0,2000})"')


def read(lines: Sequence[Line]) -> Evidence:
    """Return the version of the base image and the arguments of the command."""
    facts = list(_read_all(lines))
    return gather(facts, kinds=frozenset({"dockerfile"})) if facts else Evidence()


def _read_all(lines: Sequence[Line]) -> Iterator[Fact]:
    for place, line in enumerate(lines):
        if (found := _FROM.match(line.text)) and (version := read_version(found[1])):
            yield note("vllm_version", version, line, Origin.PASTED)
        elif found := _RUN.match(_whole(lines, place)):
            words = [Word.of(word, line) for word in _read_list(found["list"])]
            yield from read_listed(words, "docker", line, Manifest("array", found["key"]), is_parted=True)


def _whole(lines: Sequence[Line], place: int) -> str:
    """Return an instruction with the lines that go on with it."""
    parts: list[str] = []
    for line in lines[place : place + MOST_LINES]:
        parts.append(line.text.rstrip().removesuffix("\\"))
        if not line.text.rstrip().endswith("\\"):
            break
    return " ".join(parts)


def _read_list(text: str) -> list[str]:
    listed = read_structure(text.rstrip().rstrip("\\"))
    if isinstance(listed, list):
        return [str(word) for word in cast("list[object]", listed)]
    return [re.sub(r"\\(.)", r"\1", word) for word in _QUOTED.findall(text)]
