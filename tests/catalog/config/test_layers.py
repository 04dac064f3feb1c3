import pytest

from bot.catalog.config.layers import mixing_kinds
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


@pytest.mark.parametrize("config", [{"use_sliding_window": False}, {"max_position_embeddings": 32768}])
def test_a_window_that_is_off_or_as_long_as_the_context_is_none(config):
    assert kinds(1, sliding_window=32768, **config) == ["full"]


def test_llama_4_attends_in_chunks_where_it_has_rope():
    assert kinds(2, no_rope_layers=[1, 0], attention_chunk_size=8192) == ["chunked", "full"]


def test_kimi_counts_its_full_layers_from_one():
    assert kinds(2, linear_attn_config={"full_attn_layers": [2]}) == ["kda", "full"]
