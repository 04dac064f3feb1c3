import pytest

from bot.catalog.config.families import family_of, wiring_of
from bot.catalog.config.text import Settings


def wiring(**config):
    return wiring_of(Settings(config))


def test_an_unknown_family_is_built_like_llama():
    assert not family_of(Settings({"model_type": "anvil"})).attention_bias


@pytest.mark.parametrize(("kind", "norms"), [("llama", 2), ("gemma2", 4), ("cohere", 1), ("phi", 1), ("nemotron_h", 1)])
def test_families_differ_in_norms_a_layer(kind, norms):
    assert wiring(model_type=kind).norms == norms


def test_opt_keeps_two_more_positions_than_it_says():
    assert 2050 == wiring(model_type="opt", max_position_embeddings=2048).positions


def test_a_setting_takes_a_gate_away():
    assert "none" == wiring(model_type="qwen3_next", attn_output_gate=False).attention_gate


@pytest.mark.parametrize(
    ("name", "has_head"), [("BertModel", False), ("ChatGLMModel", True), ("QWenLMHeadModel", True)]
)
def test_models_named_for_their_trunk_have_no_output_matrix(name, has_head):
    assert wiring(architectures=[name]).has_lm_head is has_head
