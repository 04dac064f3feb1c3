"""What a file of knowledge holds. A text that was parsed before is looked up in the user's cache: YAML takes long."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from bot.catalog.faults import KnowledgeError
from bot.catalog.user_cache import read_cached, write_cached


class Parsed:
    """The contents of a folder's files, each by the mark of its text and of what parses it: what was changed is parsed anew.

    Args:
        name: Of the folder; without one nothing is kept.
    """

    leaves_traces: ClassVar[bool] = False
    """Whether this process writes to the cache: one that starts for each answer does, one that is tried or serves does not."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._used: dict[str, bytes] = {}

    def content(self, path: Path) -> Any:
        """Return a file as dicts, lists and texts.

        Raises:
            KnowledgeError: It is no YAML.
        """
        text = path.read_bytes()
        mark = sha256(_reader() + text).hexdigest()
        with suppress(KeyError, ValueError, RecursionError):
            content = json.loads(self._kept[mark])
            self._used[mark] = self._kept[mark]
            return content
        content = _parse(text, path)
        self._used[mark] = json.dumps(content).encode()
        return content

    def keep(self) -> None:
        """Leave what was used for the next start, and nothing else, if this process may."""
        self._leave(self._used)

    def keep_too(self) -> None:
        """Leave what was used beside what was left before, if this process may."""
        self._leave(self._kept | self._used)

    def _leave(self, contents: Mapping[str, bytes]) -> None:
        if self.leaves_traces and self._name and contents.keys() != self._kept.keys():
            lines = (mark.encode() + b" " + content for mark, content in contents.items())
            write_cached(b"\n".join(lines), *_place(self._name))

    @cached_property
    def _kept(self) -> dict[str, bytes]:
        """JSON by its mark, one a line: of a folder a sizing needs one or two."""
        left = (self._name and read_cached(*_place(self._name))) or b""
        lines = (line.partition(b" ") for line in left.splitlines())
        return {mark.decode("ascii", "replace"): content for mark, _, content in lines}


def _place(name: str) -> tuple[str, str]:
    return "knowledge", f"{name}.kept"


@cache
def _reader() -> bytes:
    """Return what tells apart what one release makes of a text from what another does."""
    with suppress(OSError):
        return sha256(Path(__file__).with_name("yaml_text.py").read_bytes()).digest()
    return b""


def line_of(path: Path, where: tuple[int | str, ...]) -> int:
    """Return the 1-based line on which a field of a file stands.

    Raises:
        KnowledgeError: It is no YAML.
    """
    from bot.catalog.yaml_text import line_in  # noqa: PLC0415  # for what is broken only

    return line_in(_decode(path.read_bytes(), path), path, where)


def _parse(text: bytes, path: Path) -> Any:
    from bot.catalog.yaml_text import read_yaml_text  # noqa: PLC0415  # for what was not parsed before only

    return read_yaml_text(_decode(text, path), path)


def _decode(text: bytes, path: Path) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise KnowledgeError(path, 1, "file", f"is not UTF-8 ({error.reason} at byte {error.start})") from None
