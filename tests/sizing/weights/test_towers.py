from bot.deployment import Deployment, ModelShape, Vision
from bot.sizing.weights.tensors import Split
from bot.sizing.weights.towers import parameters_of, tower_tensors


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
