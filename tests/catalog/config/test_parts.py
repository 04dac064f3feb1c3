from bot.catalog.config.parts import linear_of, mla_of, vision_of
from bot.catalog.config.text import Settings


def test_latent_attention_needs_a_rank():
    assert mla_of(Settings({"qk_nope_head_dim": 128})) is None


def test_the_state_of_a_delta_layer_is_read():
    found = linear_of(Settings({"linear_num_value_heads": 32, "linear_num_key_heads": 16, "linear_key_head_dim": 128}))

    assert (found.value_heads, found.key_heads, found.key_head_dim) == (32, 16, 128)


def test_kimi_keeps_its_linear_settings_together():
    found = linear_of(Settings({"linear_attn_config": {"num_heads": 32, "head_dim": 128, "short_conv_kernel_size": 4}}))

    assert (found.key_heads, found.value_head_dim) == (32, 128)


def test_the_inner_size_of_mamba_follows_from_its_heads():
    found = linear_of(Settings({"hidden_size": 64, "ssm_state_size": 16, "mamba_num_heads": 4, "mamba_head_dim": 8}))

    assert found.inner == 32


def test_without_heads_the_inner_size_is_twice_the_hidden():
    assert linear_of(Settings({"hidden_size": 64, "mamba_d_state": 16})).inner == 128


def test_a_tower_is_described_in_many_words():
    found = vision_of(Settings({"vision_config": {"embed_dim": 1280, "depth": 32, "num_heads": 16, "patch_size": 14}}))

    assert (found.hidden, found.layers, found.heads, found.patch) == (1280, 32, 16, 14)


def test_pixtral_keeps_its_tower_whole():
    assert vision_of(Settings({"model_type": "mistral3", "vision_config": {"hidden_size": 1024}})).is_replicated
