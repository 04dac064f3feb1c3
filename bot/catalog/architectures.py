"""Which releases of vLLM list an architecture in their registry of models."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from packaging.version import Version

from bot.catalog.places import KNOWLEDGE


class Listed(NamedTuple):
    """The first and the last release that list an architecture; None where there is no end."""

    since: Version | None = None
    until: Version | None = None


def listed(architecture: str | None) -> Listed | None:
    """Return the releases that list an architecture, None for one that none of them lists.

    >>> str(listed("Qwen3ForCausalLM").since), listed("FrobForCausalLM")
    ('0.8.4', None)
    """
    row = _rows().get(architecture or "")
    return None if row is None else Listed(*(Version(row[end]) if end in row else None for end in Listed._fields))


@cache
def _rows() -> dict[str, dict[str, str]]:
    lines = (KNOWLEDGE / "releases" / "architectures.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["architecture"]: row for row in map(json.loads, lines)}
