"""What must hold for every model in the catalogue."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.catalog.rows import read_row
from bot.deployment import Deployment
from bot.model_shape import Quantization
from bot.sizing.weights.layer import count_parameters
from bot.sizing.weights.per_gpu import weights_per_gpu

HEADS = index().heads


@cache
def shape_of(place):
    return read_row(HEADS[place].row())


shapes = st.integers(0, len(HEADS) - 1).map(shape_of)


def weights(shape, **facts):
    return weights_per_gpu(Deployment(shape=shape, **facts))


def test_every_model_can_be_sized():
    sized = {shape.name: weights(shape) for shape in map(shape_of, range(len(HEADS)))}

    assert [] == [name for name, amount in sized.items() if not 0 < amount < 2**43]


def test_no_model_stands_twice():
    """The hub tells no upper case from lower."""
    names = [head.id.lower() for head in HEADS]

    assert [] == [name for name in names if names.count(name) > 1]


def test_eight_bit_rows_of_nvidia_are_modelopts_and_ask_for_an_fp8_cache():
    rows = [head.row() for head in HEADS if head.id.lower().startswith("nvidia/") and head.id.lower().endswith("fp8")]
    stored = {
        row["id"]: [row["quantization"].get(name) for name in ("method", "algorithm", "kv_cache")] for row in rows
    }

    assert {} == {name: how for name, how in stored.items() if how != ["modelopt", "FP8", "fp8"]}


@settings(deadline=None)
@given(shapes, st.sampled_from([1, 2, 4]))
def test_more_gpus_never_hold_more_weights_each(shape, ranks):
    assert weights(shape, tensor_parallel=2 * ranks) <= weights(shape, tensor_parallel=ranks)


@settings(deadline=None)
@given(shapes)
def test_fewer_bits_never_take_more(shape):
    plain = shape.model_copy(update={"quantization": None, "checkpoint_bytes": None})
    eight = plain.model_copy(update={"quantization": Quantization(method="fp8", bits=8)})
    four = plain.model_copy(update={"quantization": Quantization(method="gptq", bits=4, group_size=128)})

    assert weights(four) <= weights(eight) <= weights(plain)


@settings(deadline=None)
@given(shapes, st.sampled_from([2, 4]))
def test_stages_never_hold_more_than_the_whole(shape, stages):
    assert weights(shape, pipeline_parallel=stages) <= weights(shape)


EXACT = [
    place
    for place, head in enumerate(HEADS)
    if (row := head.row()).get("parameters")
    and not row.get("vision")
    and not row.get("quantization")
    and not row.get("mtp_layers")
    and not row.get("loaded_parameters")
    and row.get("confidence") == "high"
]


def test_layers_add_up_to_the_exact_parameters():
    off = {}
    for shape in map(shape_of, EXACT):
        copies = shape.vocab * shape.hidden if shape.tied_embeddings else 0
        difference = abs(shape.parameters - count_parameters(shape))
        if min(difference, abs(difference - copies)) > 0.02 * shape.parameters:
            off[shape.name] = difference / shape.parameters

    assert len(off) <= 0.02 * len(EXACT), off


@pytest.mark.parametrize("place", range(0, len(HEADS), 400))
def test_a_row_begins_with_its_name(place):
    assert "id" == next(iter(HEADS[place].row()))


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("Qwen/Qwen2.5-7B", 131_072),
        ("Qwen/Qwen2.5-7B-Instruct", 32_768),
        ("Qwen/Qwen2.5-14B", 131_072),
        ("Qwen/Qwen1.5-1.8B-Chat", 32_768),
        ("meta-llama/Llama-2-7b-chat-hf", 4_096),
        ("allenai/Olmo-3-1025-7B", 65_536),
        ("01-ai/Yi-34B-200K", 200_000),
        ("OpenGVLab/InternVL3-8B", 65_536),
    ],
)
def test_a_context_is_the_published_one(name, tokens):
    """Frameworks copy configs and shorten contexts in them."""
    assert tokens == find_model(name).shape.max_position
