import pytest

from bot.catalog.config.experts import mlp_kinds, moe_of
from bot.catalog.config.text import Settings

EXPERTS = {"num_experts": 64, "num_experts_per_tok": 8, "moe_intermediate_size": 1408}


def experts(**facts):
    return moe_of(Settings({**EXPERTS, **facts}))


def test_one_expert_is_none():
    assert experts(num_experts=1) is None


def test_shared_experts_are_as_wide_as_all_of_them_together():
    found = experts(n_shared_experts=2)

    assert (2, 2816) == (found.shared_experts, found.shared_intermediate)


def test_a_stated_width_of_the_shared_expert_counts():
    assert 5632 == experts(model_type="qwen2_moe", shared_expert_intermediate_size=5632).shared_intermediate


def test_mixtral_writes_the_width_of_an_expert_as_that_of_the_mlp():
    assert 14336 == moe_of(Settings({"num_local_experts": 8, "intermediate_size": 14336})).intermediate


def test_gemma_4_has_a_dense_mlp_beside_its_experts():
    assert experts(model_type="gemma4").dense_beside


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"first_k_dense_replace": 1}, ["dense", "moe", "moe"]),
        ({"decoder_sparse_step": 2}, ["dense", "moe", "dense"]),
        ({"moe_layer_freq": [0, 1, 1]}, ["dense", "moe", "moe"]),
        ({"mlp_layer_types": ["dense", "sparse", "sparse"]}, ["dense", "moe", "moe"]),
        ({"mlp_only_layers": [2]}, ["moe", "moe", "dense"]),
        ({"interleave_moe_layer_step": 2}, ["dense", "moe", "dense"]),
        ({"hybrid_override_pattern": "E-*"}, ["moe", "dense", "none"]),
    ],
)
def test_families_tell_in_many_ways_which_layers_have_experts(config, expected):
    assert expected == mlp_kinds(Settings(config), 3, has_experts=True)
