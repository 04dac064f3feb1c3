"""How a model stands in knowledge/models: one line of JSON, with its layers written short."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import cycle, groupby, islice
from typing import Any

from bot.model_shape import Layer, LayerRun, ModelShape

_ATTENDING = ("full", "sliding", "chunked", "mla", "cross", "encoder", "shared")
_DIMENSIONS = ("heads", "kv_heads", "head_dim")
_TOKEN = re.compile(r"(?:(?P<count>\d+) )?(?P<kind>\S+)\Z")
_NOT_SHAPE = ("id", "also", "downloads", "base", "layers", "kinds", "pattern")


def read_row(row: Mapping[str, Any]) -> ModelShape:
    """Return the shape that a row describes.

    Raises:
        ValueError: The row lacks what a shape needs, or writes a layer that is none.
    """
    facts = {name: value for name, value in row.items() if name not in _NOT_SHAPE}
    return ModelShape.model_validate({**facts, "name": row["id"], "runs": _read_layers(row)})


def _read_layers(row: Mapping[str, Any]) -> tuple[LayerRun, ...]:
    """Layers are a unit that repeats until `layers` are reached."""
    tokens = [str(token) for token in row.get("pattern", ["full"])]
    kinds = {kind: _read_kind(kind, row) for _, kind in map(_take_apart, tokens)}
    unit = [kinds[kind] for count, kind in map(_take_apart, tokens) for _ in range(count)]
    layers = islice(cycle(unit), int(row["layers"]))
    return tuple(LayerRun(layer=layer, count=len(list(run))) for layer, run in groupby(layers))


def _take_apart(token: str) -> tuple[int, str]:
    found = _TOKEN.match(token)
    if not found:
        raise ValueError(f"{token!r} is no layer; write it like 'full', '5 sliding' or '58 mla/moe'")
    return int(found["count"] or 1), found["kind"]


def _read_kind(name: str, row: Mapping[str, Any]) -> Layer:
    kind, _, mlp = name.partition("/")
    facts: dict[str, Any] = {"kind": kind.split(".")[0], "mlp": mlp.split(".")[0] or "dense"}
    if facts["kind"] in _ATTENDING:
        facts |= {dimension: row[dimension] for dimension in _DIMENSIONS}
    return Layer.model_validate({**facts, **row.get("kinds", {}).get(name, {})})
