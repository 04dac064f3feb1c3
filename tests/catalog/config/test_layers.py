import pytest

from bot.catalog.config.layers import runs_of
from bot.catalog.config.text import Settings


def test_blocks_have_heads_and_widths_of_their_own():
    blocks = [
        {"attention": {"n_heads_in_group": 8}, "ffn": {"ffn_mult": 2.625}},
        {"attention": {"no_op": True}, "ffn": {"intermediate_size": 4096}},
        {"attention": {"n_heads_in_group": 16}, "ffn": {"no_op": True}},
    ]
    settings = Settings({"model_type": "nemotron-nas", "hidden_size": 8192, "block_configs": blocks})
    found = [run.layer for run in runs_of(settings, {"heads": 64, "head_dim": 128})]

    assert [("full", 8), ("none", None), ("full", 4)] == [(layer.kind, layer.kv_heads) for layer in found]
    assert [14_336, 4096, None] == [layer.intermediate for layer in found]
    assert ["dense", "dense", "none"] == [layer.mlp for layer in found]


def layers_of(count, **config):
    shape = {"layers": count, "heads": 8, "kv_heads": 2, "head_dim": 128, "mla": False, "moe": None}
    settings = Settings({"model_type": "llama", "intermediate_size": 1024, **config})
    return [run.layer for run in runs_of(settings, shape) for _ in range(run.count)]


@pytest.mark.parametrize(("is_wide", "intermediate"), [(True, 2048), (False, None)])
def test_the_last_layers_of_gemma_3n_share_the_cache_of_earlier_ones(is_wide, intermediate):
    found = layers_of(4, num_kv_shared_layers=2, use_double_wide_mlp=is_wide)

    assert ["full", "full", "shared", "shared"] == [layer.kind for layer in found]
    assert [None, None, intermediate, intermediate] == [layer.intermediate for layer in found]


@pytest.mark.parametrize(
    ("config", "indexed"),
    [
        ({"index_head_dim": 128}, [True, True]),
        ({"index_head_dim": 128, "indexer_types": ["full", "none"]}, [True, False]),
        ({"index_head_dim": 128, "compress_ratios": [4, 128]}, [True, False]),
        ({"sparse_attention_config": {"sparse_attention_freq": [0, 1]}}, [False, True]),
        ({}, [False, False]),
    ],
)
def test_sparse_attention_keeps_an_index_where_the_config_says_so(config, indexed):
    assert indexed == [layer.has_indexer for layer in layers_of(2, **config)]


def test_windowed_and_global_layers_may_have_sizes_of_their_own():
    sizes = {"swa_num_key_value_heads": 4, "swa_head_dim": 64, "global_head_dim": 256, "attention_k_eq_v": True}
    windowed, whole = layers_of(2, layer_types=["sliding_attention", "full_attention"], sliding_window=512, **sizes)

    assert (512, 4, 64) == (windowed.window, windowed.kv_heads, windowed.head_dim)
    assert (None, 2, 256, True) == (whole.window, whole.kv_heads, whole.head_dim, whole.shares_k_and_v)


def test_zamba_mixes_by_a_state_beside_its_attention():
    found = layers_of(2, model_type="zamba2", layers_block_type=["mamba", "hybrid"], mamba_d_state=64)

    assert [("mamba2", None), ("full", "mamba2")] == [(layer.kind, layer.beside) for layer in found]


@pytest.mark.parametrize("config", [{"model_type": "whisper"}, {"model_type": "acme", "is_encoder_decoder": True}])
def test_the_layers_of_a_decoder_attend_to_its_encoder_as_well(config):
    assert {"cross"} == {layer.beside for layer in layers_of(2, **config)}
