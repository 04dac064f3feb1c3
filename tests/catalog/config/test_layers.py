import pytest

from bot.catalog.config.layers import mixing_kinds, runs_of
from bot.catalog.config.text import Settings


def kinds(layers, **config):
    return mixing_kinds(Settings({"model_type": "llama", **config}), layers)


def test_layers_attend_fully_unless_told_otherwise():
    assert kinds(2) == ["full", "full"]


def test_listed_types_are_taken_in_order():
    assert kinds(2, layer_types=["sliding_attention", "full_attention"]) == ["sliding", "full"]


def test_an_interval_puts_full_attention_last():
    assert kinds(3, model_type="qwen3_next", full_attention_interval=3) == ["gated_delta", "gated_delta", "full"]


def test_letters_name_the_layers_of_nemotron():
    assert kinds(4, hybrid_override_pattern="ME*-") == ["mamba2", "none", "full", "none"]


def test_gemma_2_begins_with_a_sliding_layer():
    assert kinds(3, model_type="gemma2", sliding_window=4096, max_position_embeddings=8192) == [
        "sliding",
        "full",
        "sliding",
    ]


def test_gemma_3_attends_fully_every_so_many_layers():
    gemma = {"sliding_window": 1024, "max_position_embeddings": 131_072, "sliding_window_pattern": 3}

    assert kinds(4, model_type="gemma3_text", **gemma) == ["sliding", "sliding", "full", "sliding"]


@pytest.mark.parametrize("config", [{"use_sliding_window": False}, {"max_position_embeddings": 32768}])
def test_a_window_that_is_off_or_as_long_as_the_context_is_none(config):
    assert kinds(1, sliding_window=32768, **config) == ["full"]


def test_llama_4_attends_in_chunks_where_it_has_rope():
    assert kinds(2, no_rope_layers=[1, 0], attention_chunk_size=8192) == ["chunked", "full"]


def test_kimi_counts_its_full_layers_from_one():
    assert kinds(2, linear_attn_config={"full_attn_layers": [2]}) == ["kda", "full"]


def test_jamba_attends_once_a_period():
    jamba = {"model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 2}

    assert kinds(6, **jamba) == ["mamba1", "mamba1", "full", "mamba1", "mamba1", "mamba1"]


@pytest.mark.parametrize(
    ("model_type", "kind"), [("mamba", "mamba1"), ("falcon_mamba", "mamba1"), ("mamba2", "mamba2")]
)
def test_state_models_never_attend(model_type, kind):
    assert kinds(2, model_type=model_type) == [kind, kind]


def test_qwen_2_slides_behind_its_first_layers():
    qwen = {"sliding_window": 4096, "max_position_embeddings": 32768, "max_window_layers": 2}

    assert kinds(3, model_type="qwen2", **qwen) == ["full", "full", "sliding"]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"hybrid_layer_pattern": [1, 0]}, ["sliding", "full"]),
        ({"attn_type_list": [1, 0]}, ["full", "linear"]),
        ({"full_attn_idxs": [1]}, ["short_conv", "full"]),
        ({"cross_attention_layers": [0]}, ["cross", "full"]),
        ({"compress_ratios": [0, 4]}, ["sliding", "full"]),
    ],
)
def test_lists_say_which_layers_are_special(config, expected):
    assert kinds(2, **config) == expected


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


def test_letters_name_windowed_layers():
    assert kinds(3, sliding_window_pattern="LLG", sliding_window=4096) == ["sliding", "sliding", "full"]


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
