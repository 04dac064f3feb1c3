"""Checkpoints of one model."""

import pytest

from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.catalog.names import tokens_of
from bot.catalog.siblings import gguf_repository, quantized_siblings
from bot.catalog.suffixes import strip


def test_siblings_have_the_name_of_the_model_up_to_its_ending():
    names = {sibling.name for sibling in quantized_siblings("Qwen/Qwen3-14B")}

    assert {"Qwen/Qwen3-14B-AWQ", "Qwen/Qwen3-14B-FP8"} <= names
    assert "Qwen/Qwen3-14B" not in names


def test_a_publishers_word_before_the_name_makes_no_difference():
    names = {sibling.name for sibling in quantized_siblings("meta-llama/Llama-3.1-8B-Instruct")}

    assert "RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8" in names


def test_a_base_model_is_no_sibling_of_an_instruct_model():
    base = {sibling.name for sibling in quantized_siblings("meta-llama/Llama-3.1-8B")}

    assert not base & {sibling.name for sibling in quantized_siblings("meta-llama/Llama-3.1-8B-Instruct")}


@pytest.mark.parametrize("name", ["nobody/knows-this-one", "", "llama 3.1 8b"])
def test_what_is_no_catalogued_name_has_none(name):
    assert () == quantized_siblings(name)


def test_every_sibling_in_the_catalogue_is_quantized_and_of_one_shape():
    known = [head.id for head in index().heads[:80]]

    for name in known:
        shape = find_model(name).shape
        for sibling in quantized_siblings(name):
            assert sibling.quantization is not None
            assert (shape.layers, shape.hidden) == (sibling.layers, sibling.hidden)
            words = [set(tokens_of(strip(one.rpartition("/")[2].lower()).base)) for one in (name, sibling.name)]
            assert words[0] ^ words[1] == set()


def test_a_repository_of_gguf_files_has_the_name_of_the_model():
    assert "gguf" in gguf_repository("Qwen/Qwen3-8B").lower()
    assert find_model(gguf_repository("Qwen/Qwen3-8B")).shape.layers == find_model("Qwen/Qwen3-8B").shape.layers


@pytest.mark.parametrize("name", ["nobody/knows-this-one", "openai/whisper-tiny"])
def test_not_every_model_has_one(name):
    assert None is gguf_repository(name)
