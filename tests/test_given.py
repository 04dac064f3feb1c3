"""What is given by name: our own names, vLLM's arguments, and what is neither."""

import pytest

from bot.deployment import Speculation
from bot.facts import Origin
from bot.given import measured_of, stated
from bot.units import Bytes


def values(**facts):
    evidence, bad = stated(facts, Origin.ANSWERED)
    return {name: fact.value for name, fact in evidence.facts.items()}, [item.sentence for item in bad]


def test_a_name_with_gib_is_an_amount():
    assert ({"gpu_memory": Bytes.gib(24)}, []) == values(gpu_memory_gib=24)


@pytest.mark.parametrize(
    ("argument", "fact"),
    [
        ({"enable_prefix_caching": False}, {"prefix_caching": False}),
        ({"no_enable_prefix_caching": True}, {"prefix_caching": False}),
        ({"max-num-seqs": 16}, {"max_num_seqs": 16}),
        ({"kv_cache_dtype": "fp8"}, {"kv_cache_dtype": "fp8"}),
    ],
)
def test_an_argument_of_vllm_is_read_as_in_a_command(argument, fact):
    assert (fact, []) == values(**argument)


def test_a_record_is_read_as_in_a_command():
    known, bad = values(speculative_config={"method": "mtp", "num_speculative_tokens": 3})

    assert ({"speculation": Speculation(method="mtp", tokens=3)}, []) == (known, bad)


def test_what_nobody_knows_is_said():
    known, (sentence,) = values(colour="green")

    assert {} == known
    assert "colour" in sentence


def test_a_value_that_does_not_read_is_said():
    known, (sentence,) = values(max_num_seqs="many")

    assert {} == known
    assert "many" in sentence


def test_figures_of_a_log_are_in_gib():
    figures, bad = measured_of({"weights_gib": 14.2, "kv_tokens": 1000, "mood": 3})

    assert (Bytes.gib(14.2), 1000) == (figures.weights, figures.kv_tokens)
    assert ["'mood' is no figure of a log that I know"] == [item.sentence for item in bad]


def test_a_part_of_a_byte_is_none():
    figures, bad = measured_of({"weights": 1.5, "concurrency": 1.5})

    assert (2, 1.5, ()) == (figures.weights, figures.concurrency, bad)


def test_an_empty_field_of_a_form_states_nothing():
    assert ({}, ()) == (
        stated({"quantization": "", "gpu": ""}, Origin.ANSWERED)[0].facts,
        stated({"gpu": ""}, Origin.ANSWERED)[1],
    )
