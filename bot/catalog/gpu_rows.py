"""The cards and cloud machines of knowledge/gpus, with the names they go by."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple

from bot.catalog.places import KNOWLEDGE
from bot.deployment import Gpu
from bot.units import Bytes

# Words that name the maker or the line but never tell two cards apart.
_NOISE = re.compile(
    r"\b(?:nvidia|amd|intel|geforce|tesla|instinct|radeon|quadro|graphics|gpus?|cards?|corporation|generation|edition"
    r"|accelerator|tensor|core|the|an?|of|with|class|each|vram|hbm[23]?e?|gddr\d\w?|single|dual)\b|\(tm\)|\(r\)|[®™]"
)

MEMORY = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d+)?)\s*-?(?:gi?b?)\b(?!ps)", re.IGNORECASE)

_WORD = re.compile(r"[a-z]+|\d+")
_FIELDS = frozenset(Gpu.model_fields)


class Row(NamedTuple):
    """A card with the names it goes by, squeezed."""

    card: Gpu
    names: frozenset[str]
    exact: frozenset[str]  # the same with memory in them
    prints: tuple[str, ...]  # as the driver prints them, in lower case
    also: tuple[str, ...]
    mig: str | None
    parent: str | None


class Instance(NamedTuple):
    """A cloud machine and what is in it."""

    gpu: str
    gpus: int


@cache
def cards() -> tuple[Row, ...]:
    """Return every card, partition and virtual card in knowledge/gpus."""
    rows: list[Row] = []
    for path in sorted((KNOWLEDGE / "gpus").glob("*.jsonl")):
        if path.name != "instances.jsonl":
            rows += [_row(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return tuple(rows)


@cache
def instances() -> dict[str, Instance]:
    """Return the cloud machines by their name in lower case."""
    text = (KNOWLEDGE / "gpus" / "instances.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return {row["instance"].lower(): Instance(row["gpu"], _whole(row["count"])) for row in rows}


def _whole(count: float) -> int:
    return int(count) if count >= 1 else 1


def _row(row: dict[str, Any]) -> Row:
    gib = row.get("torch_gib")
    mib = row.get("memory_mib")
    facts = {name: value for name, value in row.items() if name in _FIELDS}
    card = Gpu.model_validate(
        {
            **facts,
            "memory": None if mib is None else Bytes.mib(mib),
            "torch_memory": None if gib is None else Bytes.gib(gib),
            "torch_memory_is_measured": row.get("torch_is_measured", False),
        }
    )
    prints = tuple(name.lower() for name in row.get("prints", ()))
    spelled = (row["name"], *row.get("prints", ()), *row.get("also", ()))
    plain = [_without_makers(name) for name in spelled]
    names, exact = frozenset(map(_without_memory, plain)), frozenset(map(_join, plain))
    return Row(card, names, exact, prints, tuple(row.get("also", ())), row.get("mig"), row.get("parent"))


def squeeze_whole(name: str) -> str:
    """Lower case, without makers and everything that is no letter or digit."""
    return _join(_without_makers(name))


def squeeze(name: str) -> str:
    """Lower case, without makers, memory and everything that is no letter or digit."""
    return _without_memory(_without_makers(name))


def _without_makers(name: str) -> str:
    return _NOISE.sub(" ", name.lower())


def _without_memory(plain: str) -> str:
    return _join(MEMORY.sub(" ", plain))


def _join(plain: str) -> str:
    return "".join(_WORD.findall(plain))
