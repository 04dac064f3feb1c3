import pytest

from bot.catalog.config.text import Settings, UnreadableConfigError


def test_the_inner_part_outweighs_the_outer():
    settings = Settings({"hidden_size": 1, "vocab_size": 9, "text_config": {"hidden_size": 2}})

    assert (2, 9) == (settings.number("hidden_size"), settings.number("vocab_size"))


def test_null_is_no_setting():
    assert 128 == Settings({"head_dim": None, "kv_channels": 128}).number("head_dim", "kv_channels")


def test_truth_is_no_number():
    assert Settings({"sliding_window": True}).number("sliding_window") is None


def test_a_wrapper_names_the_type_of_the_model_within():
    assert "gemma3" == Settings({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text"}}).model_type


def test_what_every_model_has_is_asked_for_by_all_its_names():
    with pytest.raises(UnreadableConfigError, match="hidden_size, n_embd"):
        Settings({}).need("hidden_size", "n_embd")
