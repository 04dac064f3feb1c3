"""What of a short description was not understood."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flags
from bot.catalog.load import load_lazily
from bot.diagnosis.wordings.leftover import Leftover, leftover
from bot.reading.read import read


@pytest.fixture(scope="module")
def flags() -> Flags:
    return load_lazily().flags


def left(text: str, flags: Flags) -> Leftover:
    return leftover(text, read(text), flags)


@pytest.mark.parametrize(
    "text",
    [
        "8xH100 llama-3.3-70b --max-model-len 32k --kv-cache-dtype fp8",
        "vllm serve Qwen/Qwen3-14B on one L40S",
        "Can I run Qwen2.5 72B on two A100 40GB?",
        "deepseek-r1 on 8x H200, tp 8, vllm 0.11.0",
        "what is the budget for qwen3 8b, g5.12xlarge?",
    ],
)
def test_of_what_people_write_nothing_is_left(text, flags):
    assert ((), ()) == (left(text, flags).words, left(text, flags).flags)


@pytest.mark.parametrize("text", ["qwen3-8b, context 8192 L4", "qwen3-8b vllm 0.19 L4", "qwen3-8b util 0.95 L4"])
def test_a_number_that_tells_something_else_is_no_number_of_cards(text, flags):
    assert () == left(text, flags).flags


def test_a_word_without_which_the_same_is_read_is_left(flags):
    assert ("frobnicate",) == left("qwen3-14b on L40S frobnicate", flags).words


def test_a_flag_that_resembles_one_is_misspelt(flags):
    assert "did you mean --max-num-seqs?" in left("qwen3-14b --max-numbr-seqz 4", flags).flags[0]


def test_a_flag_that_can_only_be_one_is_read(flags):
    assert ("--max-nm-seqs is no flag of vLLM's; I read it as --max-num-seqs.",) == left(
        "qwen3-14b --max-nm-seqs 4", flags
    ).flags


def test_a_flag_that_resembles_none_is_named_all_the_same(flags):
    (said,) = left("vllm serve qwen3-14b --quantum-tunnels 4", flags).flags

    assert "--quantum-tunnels is no flag of vLLM's that I know; I left it out of account." == said


@pytest.mark.parametrize(("text", "count"), [("0 L4 qwen3-8b", "0"), ("-3 L4", "-3"), ("qwen3-8b on 0x H100", "0")])
def test_no_card_is_no_number_of_cards(text, count, flags):
    assert count == left(text, flags).facts["gpu_count"]


def test_zero_of_something_else_is_no_number_of_cards(flags):
    assert "gpu_count" not in left("0 requests on L4 qwen3-8b", flags).facts


def test_a_memory_without_a_card_is_an_assumption_said_aloud(flags):
    assert "I took the card for one of 24 GiB" in left("qwen3-8b on 24 GB", flags).sentences[0]


def test_a_value_that_no_reader_takes_is_kept_as_it_was_written(flags):
    assert "-5" == left("qwen3-14b on L40S --max-model-len -5", flags).facts["max_model_len"]


def test_what_flags_say_counts_as_vllm_counts_it(flags):
    text = "8xH100 llama-3.3-70b --max-model-len 32k --kv-cache-dtype fp8"
    facts = {name: fact.value for name, fact in read(text).facts.items()} | dict(left(text, flags).facts)

    assert (32_000, "fp8", "llama-3.3-70b") == (facts["max_model_len"], facts["kv_cache_dtype"], facts["model"])


def test_of_a_launch_command_no_word_is_left(flags):
    assert () == left("vllm serve acme/parrot --served-model-name squawk", flags).words


def test_many_words_are_not_all_meant_for_us(flags):
    assert () == left(" ".join(f"zyx{number}q" for number in range(60)), flags).words
