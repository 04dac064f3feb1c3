import pytest

from bot.sizing.weights.excluded import layers_named, matches

QKV = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")


@pytest.mark.parametrize(
    ("pattern", "modules"),
    [
        ("model.layers.{0-3}.self_attn*", QKV),
        ("model.layers.{0-3}.self_attn.k_proj", QKV),
        ("model.layers.{2}*", QKV),
        (r"re:.*self_attn.*", QKV),
        ("model.layers.*.self_attn", QKV),
        ("*.mlp.shared_expert.*", ("mlp.shared_experts.down_proj",)),
        ("backbone.layers.{0-3}.mixer.q_proj", QKV),
        ("model.layers.{0-3}.block_sparse_moe.experts.w1", ("mlp.experts.gate_up_proj",)),
        ("lm_head", ("lm_head",)),
        (r"re:.*mlp\.(gate|up|gate_up|down)_proj.*", ("mlp.gate_proj",)),
    ],
)
def test_a_name_covers_its_modules_whatever_the_family_calls_them(pattern, modules):
    assert matches((pattern,), 2, modules)


@pytest.mark.parametrize(
    ("pattern", "modules"),
    [
        ("model.layers.{5-9}.self_attn*", QKV),
        ("model.layers.{0-3}.mlp.gate", ("mlp.gate_proj",)),
        (r"re:.*mlp\.(gate|up|gate_up|down)_proj.*", ("mlp.experts.gate_up_proj",)),
        ("lm_head", QKV),
        ("re:(", QKV),
        ("visual.blocks.{0-31}.mlp.gate_proj", ("mlp.gate_proj",)),
        ("vision_model.model.layers.{0-33}.self_attn.q_proj", QKV),
        ("model.audio_tower.layers.{0-9}.self_attn", QKV),
        ("mtp.layers.{2}*", QKV),
        ("re:visual.*", QKV),
    ],
)
def test_a_name_covers_nothing_else(pattern, modules):
    assert not matches((pattern,), 2, modules)


def test_layers_that_a_list_singles_out_are_known():
    assert layers_named(("lm_head", "model.layers.{0,2-3}.mlp")) == (frozenset({0, 2, 3}),)
