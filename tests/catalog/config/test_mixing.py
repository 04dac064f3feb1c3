import pytest

from bot.catalog.config.mixing import mixing_kinds
from bot.catalog.config.text import Settings


def kinds(layers, **config):
    return mixing_kinds(Settings({"model_type": "llama", **config}), layers)


def test_layers_attend_fully_unless_told_otherwise():
    assert ["full", "full"] == kinds(2)


def test_listed_types_are_taken_in_order():
    assert ["sliding", "full"] == kinds(2, layer_types=["sliding_attention", "full_attention"])


def test_an_interval_puts_full_attention_last():
    assert ["gated_delta", "gated_delta", "full"] == kinds(3, model_type="qwen3_next", full_attention_interval=3)


def test_letters_name_the_layers_of_nemotron():
    assert ["mamba2", "none", "full", "none"] == kinds(4, hybrid_override_pattern="ME*-")


def test_gemma_2_begins_with_a_sliding_layer():
    assert kinds(3, model_type="gemma2", sliding_window=4096, max_position_embeddings=8192) == [
        "sliding",
        "full",
        "sliding",
    ]


def test_gemma_3_attends_fully_every_so_many_layers():
    gemma = {"sliding_window": 1024, "max_position_embeddings": 131_072, "sliding_window_pattern": 3}

    assert ["sliding", "sliding", "full", "sliding"] == kinds(4, model_type="gemma3_text", **gemma)


@pytest.mark.parametrize("config", [{"use_sliding_window": False}, {"max_position_embeddings": 32768}])
def test_a_window_that_is_off_or_as_long_as_the_context_is_none(config):
    assert ["full"] == kinds(1, sliding_window=32768, **config)


def test_llama_4_attends_in_chunks_where_it_has_rope():
    assert ["chunked", "full"] == kinds(2, no_rope_layers=[1, 0], attention_chunk_size=8192)


@pytest.mark.parametrize("told", [{}, {"no_rope_layers": []}, {"no_rope_layers": [], "attention_chunk_size": 8192}])
def test_llama_4_has_rope_on_three_of_four_layers_unless_told(told):
    assert ["chunked", "chunked", "chunked", "full", "chunked"] == kinds(5, model_type="llama4_text", **told)


def test_llama_4_without_chunks_attends_fully():
    assert kinds(4, model_type="llama4", attention_chunk_size=None) == ["full"] * 4


@pytest.mark.parametrize(
    ("model_type", "expected"),
    [
        ("olmo3", ["sliding", "sliding", "sliding", "full"]),
        ("gpt_oss", ["sliding", "full", "sliding", "full"]),
        ("cwm", ["full", "sliding", "sliding", "sliding"]),
        ("exaone4", ["sliding", "sliding", "sliding", "full"]),
        ("mistral", ["sliding"] * 4),
    ],
)
def test_a_class_says_which_layers_slide_where_its_config_does_not(model_type, expected):
    assert kinds(4, model_type=model_type, sliding_window=128, max_position_embeddings=8192) == expected


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "bert"},
        {"model_type": "modernbert", "global_attn_every_n_layers": 3},
        {"model_type": "qwen2", "is_causal": False},
        {"model_type": "gemma3_text", "use_bidirectional_attention": True},
        {"architectures": ["LlamaBidirectionalModel"]},
    ],
)
def test_encoders_read_both_ways_in_every_layer(config):
    assert ["encoder", "encoder"] == kinds(2, **config)


def test_a_linear_layer_is_what_its_sizes_make_it():
    assert ["gated_delta"] == kinds(1, layer_types=["linear_attention"], linear_num_value_heads=16)


def test_kimi_counts_its_full_layers_from_one():
    assert ["kda", "full"] == kinds(2, linear_attn_config={"full_attn_layers": [2]})


def test_jamba_attends_once_a_period():
    jamba = {"model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 2}

    assert ["mamba1", "mamba1", "full", "mamba1", "mamba1", "mamba1"] == kinds(6, **jamba)


@pytest.mark.parametrize(
    ("model_type", "kind"), [("mamba", "mamba1"), ("falcon_mamba", "mamba1"), ("mamba2", "mamba2")]
)
def test_state_models_never_attend(model_type, kind):
    assert kinds(2, model_type=model_type) == [kind, kind]


def test_qwen_2_slides_behind_its_first_layers():
    qwen = {"sliding_window": 4096, "max_position_embeddings": 32768, "max_window_layers": 2}

    assert ["full", "full", "sliding"] == kinds(3, model_type="qwen2", **qwen)


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


def test_letters_name_windowed_layers():
    assert ["sliding", "sliding", "full"] == kinds(3, sliding_window_pattern="LLG", sliding_window=4096)
