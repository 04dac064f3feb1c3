"""What a file of knowledge holds. A text that was parsed before is looked up in the user's cache: YAML takes long."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from bot.catalog.faults import KnowledgeError


class Parsed:
    """The contents of a folder's files, each by the mark of its text: what was changed is parsed anew.

    Args:
        name: Of the folder; without one nothing is kept.
    """

    leaves_traces: ClassVar[bool] = False
    """Whether this process writes to the cache: one that starts for each answer does, one that is tried or serves does not."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._used: dict[str, Any] = {}

    def content(self, path: Path) -> Any:
        """Return a file as dicts, lists and texts.

        Raises:
            KnowledgeError: It is no YAML.
        """
        text = path.read_bytes()
        mark = sha256(text).hexdigest()
        self._used[mark] = self._kept[mark] if mark in self._kept else _parse(text, path)
        return self._used[mark]

    def keep(self) -> None:
        """Leave what was used for the next start, if this process may; a cache that cannot be written is no failure."""
        if not self.leaves_traces or self._path is None or self._used.keys() == self._kept.keys():
            return
        unfinished = self._path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(self._used), encoding="utf-8")
            unfinished.replace(self._path)

    @cached_property
    def _kept(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(self._path.read_bytes()) if self._path else {}
            return found if isinstance(found, dict) else {}
        return {}

    @cached_property
    def _path(self) -> Path | None:
        if self._name is None:
            return None
        from platformdirs import user_cache_path  # noqa: PLC0415  # where something may be kept only

        return user_cache_path("vllm-triage") / "knowledge" / f"{self._name}.json"


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
