"""How a model stands in knowledge/models: one line of JSON, with its layers written short."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import cycle, groupby, islice
from typing import Any

from bot.deployment import Layer, LayerRun, ModelShape

_ATTENDING = ("full", "sliding", "chunked", "mla", "cross", "shared")
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


def write_row(shape: ModelShape) -> dict[str, Any]:
    """Return the row of a shape; `read_row` gives the shape back."""
    facts = shape.model_dump(mode="json", exclude_defaults=True, exclude={"name", "runs"})
    return {"id": shape.name, "layers": shape.layers, **facts, **_write_layers(shape)}


def _write_layers(shape: ModelShape) -> dict[str, Any]:
    layers = [run.layer for run in shape.runs for _ in range(run.count)]
    unit = layers[: _period(layers)]
    names: dict[Layer, str] = {}
    kinds: dict[str, dict[str, Any]] = {}
    for layer in dict.fromkeys(unit):
        stem = layer.kind.value + ("" if layer.mlp == "dense" else f"/{layer.mlp}")
        name = stem if stem not in names.values() else f"{stem}.{len(names)}"
        names[layer] = name
        if facts := _special(layer, shape):
            kinds[name] = facts
    pattern = [f"{count} {name}" if count > 1 else name for name, count in _counted(unit, names)]
    written: dict[str, Any] = {} if pattern == ["full"] else {"pattern": pattern}
    return {**written, "kinds": kinds} if kinds else written


def _counted(unit: list[Layer], names: Mapping[Layer, str]) -> list[tuple[str, int]]:
    return [(names[layer], len(list(run))) for layer, run in groupby(unit)]


def _special(layer: Layer, shape: ModelShape) -> dict[str, Any]:
    facts = layer.model_dump(mode="json", exclude_defaults=True, exclude={"kind", "mlp"})
    return {name: value for name, value in facts.items() if name not in _DIMENSIONS or value != getattr(shape, name)}


def _period(layers: list[Layer]) -> int:
    """The shortest unit that, repeated and cut, gives these layers."""
    for length in range(1, len(layers)):
        if all(layers[i] == layers[i - length] for i in range(length, len(layers))):
            return length
    return len(layers)
