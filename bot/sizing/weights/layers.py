"""What each layer of a model takes, with layers that are alike weighed once."""

from __future__ import annotations

from bot.model_shape import ModelShape
from bot.sizing.each_kind import by_run
from bot.sizing.weights.layer import layer_tensors
from bot.sizing.weights.storage import Storage, Weighed, weigh
from bot.sizing.weights.tensors import Split


def weigh_layers(shape: ModelShape, storage: Storage, split: Split) -> list[Weighed]:
    """Return what each layer takes on one GPU, in model order.

    Layers of one kind that the exclude list treats alike take the same bytes.
    """
    if not storage.named:
        alike = by_run(shape.runs, lambda layer: weigh(layer_tensors(shape, layer, split), None, storage))
        return [each for each, times in alike for _ in range(times)]
    known: dict[tuple[int, tuple[bool, ...]], Weighed] = {}
    found: list[Weighed] = []
    for tensors, times in by_run(shape.runs, lambda layer: layer_tensors(shape, layer, split)):
        for place in range(len(found), len(found) + times):
            key = id(tensors), storage.signature(place)
            if key not in known:
                known[key] = weigh(tensors, place, storage)
            found.append(known[key])
    return found
