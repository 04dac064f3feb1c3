"""Which releases list an architecture."""

from packaging.version import Version

from bot.catalog.architectures import Listed, listed


def test_an_architecture_comes_with_a_release():
    assert Listed(Version("0.8.4"), None) == listed("Qwen3ForCausalLM")


def test_an_architecture_goes_with_a_release():
    assert Listed(Version("0.6.2"), Version("0.10.2")) == listed("MllamaForConditionalGeneration")


def test_an_architecture_that_was_always_there_has_no_ends():
    assert Listed() == listed("FalconForCausalLM")


def test_of_an_architecture_that_no_release_lists_nothing_is_known():
    assert [None, None] == [listed("FrobForCausalLM"), listed(None)]
