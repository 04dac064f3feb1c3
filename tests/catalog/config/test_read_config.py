import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.catalog.config.read_config import UnreadableConfigError, read_config


def a_config(**facts):
    plain = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "max_position_embeddings": 131072,
        "torch_dtype": "bfloat16",
    }
    return {**plain, **facts}


def test_a_plain_config_becomes_a_shape():
    shape = read_config(a_config(), name="acme/Anvil")

    assert ("acme/Anvil", 32, 4096, 8, 128) == (shape.name, shape.layers, shape.hidden, shape.kv_heads, shape.head_dim)


def test_the_language_model_of_a_multimodal_config_is_found():
    shape = read_config(
        {"model_type": "acme_vl", "text_config": a_config(), "vision_config": {"hidden_size": 1024, "depth": 24}}
    )

    assert (32, 24) == (shape.layers, shape.vision.layers)


def test_an_omni_config_nests_twice():
    assert 32 == read_config({"thinker_config": {"text_config": a_config()}}).layers


@pytest.mark.parametrize("name", ["hidden_size", "vocab_size", "num_hidden_layers", "num_attention_heads"])
def test_a_config_without_what_every_model_has_is_refused(name):
    config = a_config()
    del config[name]

    with pytest.raises(UnreadableConfigError, match=name):
        read_config(config)


def test_qwen2_has_biases_that_its_config_does_not_tell():
    assert read_config(a_config(model_type="qwen2")).attention_bias


def test_gemma_ties_its_embeddings_unless_told_otherwise():
    assert read_config(a_config(model_type="gemma2")).tied_embeddings


def test_old_names_of_the_settings_are_understood():
    old = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, "n_positions": 1024}
    shape = read_config(old)

    assert (768, 12, 3072, 1024) == (shape.hidden, shape.layers, shape.intermediate, shape.max_position)


def test_latent_attention_has_the_head_size_of_its_two_parts():
    ranks = {
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "q_lora_rank": 1536,
    }
    shape = read_config(a_config(model_type="deepseek_v3", **ranks))

    assert (192, "mla", 512) == (shape.head_dim, shape.runs[0].layer.kind, shape.mla.kv_lora_rank)


def test_an_embedding_model_has_no_output_matrix():
    assert not read_config(a_config(architectures=["AcmeModel"])).wiring.has_lm_head


def test_prediction_layers_are_not_decoder_layers():
    shape = read_config(a_config(num_nextn_predict_layers=1))

    assert (32, 1) == (shape.layers, shape.mtp_layers)


def test_a_state_of_unknown_size_is_refused_instead_of_counted_as_nothing():
    with pytest.raises(UnreadableConfigError, match="mamba_d_state, mamba_n_heads"):
        read_config(a_config(model_type="acme", layer_types=["mamba", "full_attention"]))


def test_a_config_with_absurd_numbers_is_refused():
    with pytest.raises(UnreadableConfigError):
        read_config(a_config(num_hidden_layers=10**9))


@pytest.mark.parametrize(
    "name", ["hidden_size", "vocab_size", "num_attention_heads", "num_key_value_heads", "head_dim"]
)
@pytest.mark.parametrize("size", [-1, 10**12])
def test_a_size_that_no_model_has_is_refused_by_its_name(name, size):
    with pytest.raises(UnreadableConfigError, match=name):
        read_config(a_config(**{name: size}))


@pytest.mark.parametrize("name", ["hidden_size", "vocab_size", "num_attention_heads"])
def test_a_model_without_width_is_refused(name):
    with pytest.raises(UnreadableConfigError, match=name):
        read_config(a_config(**{name: 0}))


@pytest.mark.parametrize(
    "odd",
    [
        {"intermediate_size": -1},
        {"intermediate_size": 10**30},
        {"quantization_config": {"quant_method": "gptq", "bits": -4}},
        {"num_local_experts": 8, "num_experts_per_tok": -1, "architectures": ["MixtralForCausalLM"]},
        {"rope_scaling": {"rope_type": "yarn", "factor": 1e308}},
    ],
)
def test_a_size_that_no_part_of_a_model_has_is_refused(odd):
    with pytest.raises(UnreadableConfigError, match="sizes from 0"):
        read_config(a_config(**odd))


@pytest.mark.parametrize("length", [0, -5, 10**30])
def test_a_longest_context_of_nothing_is_none(length):
    assert read_config(a_config(max_position_embeddings=length)).max_position is None


def a_shape_or_none(config):
    try:
        return read_config(config)
    except UnreadableConfigError:
        return None


NAMES = (
    *a_config(),
    "layer_types",
    "rope_scaling",
    "quantization_config",
    "text_config",
    "vision_config",
    "num_experts",
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9999) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4))
def test_any_settings_give_a_shape_or_are_refused(settings):
    shape = a_shape_or_none(a_config(**settings))

    assert shape is None or shape.layers > 0
