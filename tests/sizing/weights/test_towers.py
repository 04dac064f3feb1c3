from bot.catalog.models import find_model, index
from bot.catalog.rows import read_row
from bot.deployment import Deployment, ModelShape, Vision
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
    assert parameters() == [250]


def test_some_towers_are_whole_on_every_gpu():
    assert parameters(is_replicated=True) == [1000]


def test_a_flag_makes_the_tower_whole():
    assert parameters(mode="data") == [1000]


def test_a_text_model_has_no_tower():
    shape = ModelShape(name="a", hidden=8, vocab=8, heads=1, kv_heads=1, head_dim=8, runs=())

    assert tower_tensors(Deployment(), shape, Split()) == ()


def test_an_uncounted_tower_is_estimated_from_its_sizes():
    siglip = Vision(hidden=1152, layers=27, intermediate=4304, heads=16, patch=14)

    assert 0.38e9 < parameters_of(siglip, 2560) < 0.46e9


def counted(name):
    shape = find_model(name).shape
    return tower_parameters(shape), other_parameters(shape)


def test_a_count_too_large_for_a_tower_is_something_else():
    assert counted("Qwen/Qwen3.8-Flash-Next") == (0, 54_949_207_571)


def test_the_largest_tower_there_is_counts_as_one():
    tower, others = counted("OpenGVLab/InternVL3-38B-AWQ")

    assert (5.5e9 < tower < 5.8e9, others) == (True, 0)


def test_a_tower_of_known_sizes_leaves_the_rest_to_the_language_model():
    tower, others = counted("moonshotai/Kimi-K3")

    assert tower + others == 8_470_012_064
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
