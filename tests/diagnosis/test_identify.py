"""Which model it is."""

from __future__ import annotations

import pytest

from bot.catalog.models import find_model
from bot.diagnosis.identify import identify, unknown_card, with_catalogue, with_facts
from bot.evidence import Evidence, merge
from bot.facts import Fact, Origin
from bot.model_shape import ModelShape
from bot.reading.read import read

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 32000,
    "max_position_embeddings": 16384,
}
TORN = {name: value for name, value in CONFIG.items() if name != "architectures"}


def test_a_name_of_the_catalogue_is_its_shape():
    assert "Qwen/Qwen3-14B" == identify("qwen3 14b", None).name


def test_a_quantized_ending_is_the_checkpoint_of_that_kind():
    found = identify("llama 3.3 70b instruct awq", None)

    assert found.name is not None
    assert "awq" in found.name.lower()


def test_where_there_is_no_such_checkpoint_the_base_model_is_not_its_name():
    found = identify("Llama-3.1-8B-Instruct-w8a16", None)

    assert found.shape is not None
    assert found.name is None


def test_a_whole_config_outranks_a_name():
    assert 16 == identify("meta-llama/Llama-3.1-8B", CONFIG).shape.layers


def test_a_torn_config_does_not():
    assert 32 == identify("meta-llama/Llama-3.1-8B", TORN).shape.layers


def test_a_torn_config_serves_where_the_name_says_nothing():
    assert 16 == identify("parrot", TORN).shape.layers


def test_the_catalogue_knows_more_of_a_model_than_its_config():
    shape = find_model("Qwen/Qwen3-8B").shape
    config = {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "vocab_size": shape.vocab,
        "max_position_embeddings": shape.max_position,
    }

    assert shape == identify("Qwen/Qwen3-8B", config).shape


def test_who_looks_up_is_asked_for_unknown_models_only():
    asked: list[str] = []

    def look_up(name: str) -> ModelShape | str | None:
        asked.append(name)
        return find_model("Qwen/Qwen3-8B").shape

    identify("Qwen/Qwen3-8B", None, look_up)
    assert [] == asked
    assert identify("acme/parrot", None, look_up).shape is not None
    assert ["acme/parrot"] == asked


@pytest.mark.parametrize(
    ("name", "config", "sentence"),
    [
        ("parrot", None, "I do not know the model 'parrot'."),
        ("mixtral", None, "may be several models"),
        (None, {"scale": [1]}, "The config.json cannot be used"),
        (None, None, None),
    ],
)
def test_what_cannot_be_told_says_so(name, config, sentence):
    said = identify(name, config).sentence

    assert (said is None) if sentence is None else sentence in said


def test_an_unknown_card_resembles_the_known_ones():
    assert "did you mean GeForce RTX 4090" in unknown_card("RTX 4900")
    assert "name it as `nvidia-smi -L` does" in unknown_card("FOO9000")


def test_a_name_that_no_card_has_is_not_taken_for_another_unsaid():
    card = Evidence(facts={"gpu": Fact(name="gpu", value="L40X", origin=Origin.ANSWERED)})

    assert "I know no 'L40X'; I took it for the L40." == with_catalogue(merge(read("qwen3-8b"), card))[1]["text"]


@pytest.mark.parametrize(
    ("text", "taken"),
    [("H20", "one of 141 GB"), ("an A100", "one of 40 GB"), ("MIG 1g.10gb", "H100 80GB MIG 1g.10gb")],
)
def test_a_name_that_unlike_cards_share_is_an_assumption_said_aloud(text: str, taken: str):
    assert taken in with_catalogue(read(f"qwen3-8b on {text}"))[1]["text"]


@pytest.mark.parametrize(("gpu", "is_told"), [("A100", True), ("RTX 5060 Ti", False)])
def test_what_a_smaller_card_of_the_name_would_lack_is_said(gpu, is_told):
    """Of the 5060 Ti the smaller one is taken."""
    remarks = with_catalogue(read(f"qwen3-8b on an {gpu}")).unknown

    assert is_told is ("40.00 GiB less for the KV cache" in remarks["text"])


@pytest.mark.parametrize("text", ["an H100", "an A100 80GB", "an L4", "H100 MIG 1g.10gb", "NVIDIA A100-SXM4-80GB"])
def test_a_name_that_means_one_card_is_no_assumption(text: str):
    assert {} == with_catalogue(read(f"qwen3-8b on {text}"))[1]


@pytest.mark.parametrize(("text", "count"), [("qwen3-8b on p4d.24xlarge", 8), ("qwen3-8b on 2x L4", 2)])
def test_a_machine_says_how_many_cards_it_has(text: str, count: int):
    assert count == with_catalogue(read(text))[0].gpu_count


def test_a_count_that_somebody_stated_outranks_the_machine_s():
    four = Fact(name="gpu_count", value=4, origin=Origin.ANSWERED)
    evidence = merge(read("qwen3-8b on p4d.24xlarge"), Evidence(facts={"gpu_count": four}))

    assert 4 == with_catalogue(evidence)[0].gpu_count


def test_another_model_and_card_come_with_what_the_catalogue_knows():
    before = with_catalogue(read("qwen3-8b on an L4")).deployment
    after = with_facts(before, {"model": "Qwen/Qwen3-14B", "gpu": "H100", "max_num_seqs": 8})

    assert after.shape is not None
    assert after.card is not None
    assert ("Qwen/Qwen3-14B", "H100 SXM5 80GB", 8) == (after.shape.name, after.card.name, after.max_num_seqs)


def test_of_another_model_that_nobody_knows_nothing_is_left_over():
    before = with_catalogue(read("qwen3-8b on an L4")).deployment

    assert with_facts(before, {"model": "parrot"}).shape is None


def test_other_facts_leave_model_and_card_alone():
    before = with_catalogue(read("qwen3-8b on an L4")).deployment

    assert before == with_facts(before, {"max_num_seqs": 8}).with_(max_num_seqs=None)


def text_of(words):
    return with_catalogue(read(words))[1].get("text", "")


def test_a_type_of_gguf_file_names_the_repository_that_has_it():
    found = identify("qwen3:8b-q8_0", None)

    assert (":Q8_0", "gguf") == (found.name[-5:], found.shape.quantization.method)
    assert "gguf" in found.name.lower()


def test_where_no_repository_of_such_files_is_known_the_name_is_no_repository():
    found = identify("granite-3.1-2b-instruct-Q8_0", None)

    assert "granite-3.1-2b-instruct GGUF Q8_0" == found.name


def test_a_repository_of_gguf_files_is_served_with_the_type_that_was_counted():
    assert "unsloth/Qwen3-8B-GGUF:Q4_K_M" == with_catalogue(read("unsloth/Qwen3-8B-GGUF on one L4"))[0].model


def test_namesakes_that_store_other_weights_are_told():
    assert "others of that name store other weights" in text_of("Qwen3.6-35B-A3B-NVFP4 on one H100")
    assert "" == text_of("gpt-oss-20b on one H100")


def test_a_name_that_is_like_a_known_one_says_so():
    assert "Did you mean Qwen/Qwen3-8B" in identify("Qwen3-8BB", None).sentence


def test_an_architecture_that_no_release_lists_is_told():
    odd = CONFIG | {"architectures": ["AnvilForCausalLM"]}

    assert "No release of vLLM that I know lists AnvilForCausalLM" in identify("acme/anvil-1b", odd).remark
    assert None is identify("acme/anvil-1b", CONFIG).remark


def test_one_that_was_looked_up_is_told_as_well():
    shape = identify(None, CONFIG | {"architectures": ["AnvilForCausalLM"]}).shape

    assert "AnvilForCausalLM" in identify("acme/anvil-1b", None, lambda _: shape).remark
