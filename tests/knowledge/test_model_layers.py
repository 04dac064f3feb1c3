"""What must hold for the layers of every model in the catalogue."""

from collections import defaultdict
from itertools import groupby

import pytest

from bot.catalog.index import index
from bot.catalog.rows import read_row
from bot.deployment import Deployment
from bot.model_shape import LayerKind
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache.per_layer import KEEPS_NOTHING, layer_specs
from bot.sizing.resolved import resolve

SHAPES = [read_row(head.row()) for head in index().heads]
LEAST_KEPT = 64  # bytes that the smallest head keeps of one token
WINDOWED = {LayerKind.SLIDING, LayerKind.CHUNKED}


def names(is_wrong):
    return [shape.name for shape in SHAPES if is_wrong(shape)]


def layers(shape):
    return [run.layer for run in shape.runs]


def order(shape):
    """One window over all layers is a setting of a checkpoint; a pattern is its model's."""
    kinds = {run.layer.kind for run in shape.runs}
    if len(kinds) == 1 and kinds <= WINDOWED | {LayerKind.FULL}:
        return "alike"
    each = ((run.layer.kind, run.layer.window, run.layer.beside) for run in shape.runs for _ in range(run.count))
    return tuple((kind, len(list(same))) for kind, same in groupby(each))


def test_the_size_of_every_state_is_known():
    assert [] == names(lambda shape: shape.unknown_states)


def test_sizes_of_a_state_stand_where_a_layer_keeps_one():
    assert [] == names(lambda shape: shape.keeps_states != (shape.linear is not None))


@pytest.mark.parametrize("version", ["0.11.0", "0.19.0", "0.33.0"])
def test_every_layer_keeps_something_unless_its_kind_keeps_nothing(version):
    def keeps_too_little(shape):
        run = resolve(with_defaults(Deployment(shape=shape, vllm_version=version))[0])
        for layer in layers(shape):
            kept = [max(spec.token_bytes, spec.state_bytes) for spec in layer_specs(layer, run)]
            if (layer.kind in KEEPS_NOTHING) == bool(kept) or min(kept, default=LEAST_KEPT) < LEAST_KEPT:
                return True
        return False

    assert [] == names(keeps_too_little)


def test_windows_stand_at_the_layers_that_have_them():
    def is_wrong(layer):
        return layer.kind in WINDOWED if layer.window is None else layer.kind not in WINDOWED | {LayerKind.SHARED}

    assert [] == names(lambda shape: any(map(is_wrong, layers(shape))))


def test_latent_attention_has_its_ranks_and_no_other_has():
    def is_latent(shape):
        return any(layer.kind is LayerKind.MLA for layer in layers(shape))

    assert [] == names(lambda shape: is_latent(shape) != (shape.mla is not None))


def test_expert_layers_have_experts_and_no_others_have():
    def has_experts(shape):
        return any(layer.mlp == "moe" for layer in layers(shape))

    assert [] == names(lambda shape: has_experts(shape) != (shape.moe is not None))


def test_an_encoder_is_one_in_every_layer_and_writes_nothing():
    def is_half(shape):
        kinds = {layer.kind for layer in layers(shape)}
        return LayerKind.ENCODER in kinds and (len(kinds) > 1 or shape.wiring.has_lm_head)

    assert [] == names(is_half)


def test_models_of_one_shape_have_the_same_layers():
    seen = defaultdict(dict)
    for shape in SHAPES:
        key = (shape.model_type, shape.layers, shape.hidden, shape.intermediate, shape.heads, shape.kv_heads, shape.moe)
        seen[key].setdefault(order(shape), shape.name)

    assert [] == [tuple(found.values()) for key, found in seen.items() if key[0] and len(found) > 1]
