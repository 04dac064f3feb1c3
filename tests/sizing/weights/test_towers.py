import pytest

from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.catalog.rows import read_row
from bot.deployment import Deployment
from bot.model_shape import ModelShape, Vision
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.tensors import Split
from bot.sizing.weights.towers import (
    LARGEST_TOWER,
    other_parameters,
    parameters_of,
    tower_parameters,
    tower_tensors,
)


def parameters(ranks=4, mode=None, **vision):
    tower = Vision(parameters=1000, **vision)
    shape = ModelShape(name="a", hidden=8, vocab=8, heads=1, kv_heads=1, head_dim=8, runs=(), vision=tower)
    return [t.elements for t in tower_tensors(Deployment(encoder_tensor_parallel=mode), shape, Split(ranks))]


def test_a_tower_is_cut_like_the_language_model():
    assert [250] == parameters()


def test_some_towers_are_whole_on_every_gpu():
    assert [1000] == parameters(is_replicated=True)


@pytest.mark.parametrize(
    ("model", "facts", "weights"),
    [
        ("mistralai/Mistral-Small-3.1-24B-Instruct-2503", {}, 22.80),
        ("RedHatAI/Mistral-Small-3.1-24B-Instruct-2503-quantized.w8a8", {}, 12.11),
        ("acme/Mistral-Small-3.1-24B-Instruct-2503", {"load_format": "mistral"}, 22.80),
    ],
)
def test_pixtrals_tower_is_whole_in_its_makers_format_alone(model, facts, weights):
    """What 0.19 printed on each of 2 H100."""
    shape = find_model(model).shape
    deployment = Deployment(
        model=model, shape=shape, vllm_version="0.19.0", tensor_parallel=2, max_model_len=8192, **facts
    )

    assert weights == pytest.approx(weights_per_gpu(deployment) / 2**30, rel=0.003)


def test_a_flag_makes_the_tower_whole():
    assert [1000] == parameters(mode="data")


def test_a_text_model_has_no_tower():
    shape = ModelShape(name="a", hidden=8, vocab=8, heads=1, kv_heads=1, head_dim=8, runs=())

    assert () == tower_tensors(Deployment(), shape, Split())


def internvl(model_type, count, ranks):
    shape = ModelShape(
        name="a", model_type=model_type, hidden=4096, vocab=8, heads=1, kv_heads=1, head_dim=8, runs=(),
        vision=Vision(parameters=count),
    )  # fmt: skip
    (found,) = tower_tensors(Deployment(), shape, Split(ranks))
    return found.elements


PROJECTOR_300M, FIXED_300M = 4096 * (4 * 1024 + 4096), 1024 * (588 + 1025)


def test_internvl_keeps_its_projector_whole():
    whole = PROJECTOR_300M + FIXED_300M

    assert whole + (337_000_000 - whole) // 4 == internvl("internvl_chat", 337_000_000, 4)


def test_internvl_keeps_attention_whole_where_its_heads_cannot_be_dealt_out():
    whole = 4096 * (4 * 3200 + 4096) + 3200 * (588 + 1025) + 4 * 3200**2 * 45

    assert [5_600_000_000, whole + -(-(5_600_000_000 - whole) // 8)] == [
        internvl("internvl_chat", 5_600_000_000, ranks) for ranks in (1, 8)
    ]


def test_another_implementation_of_internvl_never_cuts_attention():
    attention = 4 * 1024**2 * 24

    apart = internvl("internvl", 337_000_000, 4) - internvl("internvl_chat", 337_000_000, 4)
    assert attention - attention // 4 == apart


def test_an_uncounted_tower_is_estimated_from_its_sizes():
    siglip = Vision(hidden=1152, layers=27, intermediate=4304, heads=16, patch=14)

    assert 0.38e9 < parameters_of(siglip, 2560) < 0.46e9


def counted(name):
    shape = find_model(name).shape
    return tower_parameters(shape), other_parameters(shape)


def test_a_count_too_large_for_a_tower_is_something_else():
    assert (0, 54_949_207_571) == counted("Qwen/Qwen3.8-Flash-Next")


def test_the_largest_tower_there_is_counts_as_one():
    tower, others = counted("OpenGVLab/InternVL3-38B-AWQ")

    assert (True, 0) == (5.5e9 < tower < 5.8e9, others)


def test_a_tower_of_known_sizes_leaves_the_rest_to_the_language_model():
    tower, others = counted("moonshotai/Kimi-K3")

    assert 8_470_012_064 == tower + others
    assert tower < 0.5e9


def test_no_model_of_the_catalogue_loses_more_than_a_tower_or_its_tables():
    seen = [
        head.row() for head in index().heads if '"vision"' in head.text[head.start : head.text.find("\n", head.start)]
    ]
    tables = (("VLLM_PLE_CPU_OFFLOAD", "1"),)
    for shape in map(read_row, seen):
        whole, no_tower, on_host, neither = (
            weights_per_gpu(Deployment(shape=shape, vllm_version="0.30.0", language_model_only=only, environment=host))
            for only, host in ((None, ()), (True, ()), (None, tables), (True, tables))
        )
        assert 0 <= whole - no_tower <= 2 * 2 * LARGEST_TOWER, shape.name
        assert whole - neither <= (whole - no_tower) + (whole - on_host), shape.name
        assert neither > 0, shape.name


def test_internvl3_78b_weighs_what_eight_gpus_printed():
    shape = find_model("OpenGVLab/InternVL3-78B").shape
    found = weights_per_gpu(Deployment(shape=shape, vllm_version="0.6.6.post1", tensor_parallel=8))

    assert abs(found / 2**30 - 21.67) < 0.1
