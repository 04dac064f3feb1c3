import pytest

from bot.catalog.config.parts import linear_of, mla_of, vision_of
from bot.catalog.config.text import Settings


def test_latent_attention_needs_a_rank():
    assert mla_of(Settings({"qk_nope_head_dim": 128})) is None


def test_the_state_of_a_delta_layer_is_read():
    found = linear_of(
        Settings({"linear_num_value_heads": 32, "linear_num_key_heads": 16, "linear_key_head_dim": 128}),
        ["gated_delta"],
    )

    assert (32, 16, 128) == (found.value_heads, found.key_heads, found.key_head_dim)


def test_kimi_keeps_its_linear_settings_together():
    found = linear_of(
        Settings({"linear_attn_config": {"num_heads": 32, "head_dim": 128, "short_conv_kernel_size": 4}}), ["kda"]
    )

    assert (32, 128) == (found.key_heads, found.value_head_dim)


def test_the_inner_size_of_mamba_follows_from_its_heads():
    found = linear_of(
        Settings({"hidden_size": 64, "ssm_state_size": 16, "mamba_num_heads": 4, "mamba_head_dim": 8}), ["mamba2"]
    )

    assert 32 == found.inner


def test_without_heads_the_inner_size_is_twice_the_hidden():
    assert 128 == linear_of(Settings({"hidden_size": 64, "mamba_d_state": 16}), ["mamba1"]).inner


def test_a_tower_is_described_in_many_words():
    found = vision_of(Settings({"vision_config": {"embed_dim": 1280, "depth": 32, "num_heads": 16, "patch_size": 14}}))

    assert (1280, 32, 16, 14) == (found.hidden, found.layers, found.heads, found.patch)


def test_pixtral_keeps_its_tower_whole():
    assert vision_of(Settings({"model_type": "mistral3", "vision_config": {"hidden_size": 1024}})).is_replicated


def test_layers_without_states_keep_none():
    assert linear_of(Settings({"hidden_size": 64, "mamba_d_state": 16}), ["full"]) is None


@pytest.mark.parametrize(
    ("model_type", "state"),
    [("mamba", 16), ("falcon_mamba", 16), ("zamba2", 64), ("mamba2", 128), ("granitemoehybrid", 256)],
)
def test_a_class_states_what_its_config_leaves_out(model_type, state):
    found = linear_of(Settings({"model_type": model_type, "hidden_size": 64}), ["mamba2"])

    assert (128, state, 4) == (found.inner, found.state, found.conv_kernel)


def test_a_short_convolution_looks_at_three_tokens_unless_told():
    assert 3 == linear_of(Settings({"hidden_size": 64}), ["short_conv"]).conv_kernel


def test_lightning_attention_has_the_heads_of_its_neighbours():
    found = linear_of(Settings({"hidden_size": 6144, "num_attention_heads": 64, "head_dim": 128}), ["linear"])

    assert (64, 128) == (found.heads, found.head_dim)


def test_the_keys_of_olmos_delta_are_narrower_than_its_heads():
    config = {"model_type": "olmo_hybrid", "hidden_size": 1024, "num_attention_heads": 8}
    found = linear_of(Settings(config), ["gated_delta"])

    assert (8, 96, 8, 192) == (found.key_heads, found.key_head_dim, found.value_heads, found.value_head_dim)


def test_whispers_encoder_is_counted_to_the_last_parameter():
    """Of large-v3, whose decoder's own keys and those to the encoder have no biases, either."""
    large = {"model_type": "whisper", "d_model": 1280, "encoder_ffn_dim": 5120, "encoder_layers": 32}

    assert 636_968_960 == vision_of(Settings({**large, "num_mel_bins": 128})).parameters
