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


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("gemma 3 27b on two 4090s with 16k context and 20 users", 20),
        ("vllm serve Qwen/Qwen3-14B --max-model-len 8192 on L40S for 1,500 people", 1_500),
        ("qwen3-14b on L40S, 32 requests, 8k context", 32),
        ("qwen3-14b on L40S, 2k developers", 2_000),
    ],
)
def test_what_is_to_be_served_is_read(text, count, flags):
    assert (count, ()) == (left(text, flags).facts["wanted_concurrency"], left(text, flags).words)


def test_what_was_read_already_is_not_said_again(flags):
    found = left("qwen3-14b on L40S with 20 concurrent users", flags)

    assert ({}, ()) == (found.facts, found.flags)


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


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("qwen3-8b on L4 -tp 0", ("tensor_parallel", "0")),
        ("qwen3-8b on L4 -tp -2", ("tensor_parallel", "-2")),
        ("vllm serve Qwen/Qwen3-8B -tp 0, on L4", ("tensor_parallel", "0")),
        ("qwen3-8b on L4 pp=-1", ("pipeline_parallel", "-1")),
        ("qwen3-8b on L4 -n 3", ("nodes", 3)),
        ("qwen3-8b on L4 TP 128", ("tensor_parallel", "128")),
        ("qwen3-8b on 1000xL4", ("gpu_count", "1000")),
        ("qwen3-8b on 600 H100", ("gpu_count", "600")),
    ],
)
def test_a_size_that_none_has_is_kept_as_it_was_written(text, fact, flags):
    found = left(text, flags)

    assert (fact, ()) == (next(iter(found.facts.items())), found.words)


def test_a_part_of_a_card_is_none(flags):
    assert ("I counted one L4 for '2.5 L4': write a whole number of cards.",) == left(
        "qwen2.5-7b on 2.5 L4", flags
    ).flags


def test_a_percentage_without_its_sign_is_said_to_be_a_share(flags):
    (said,) = left("qwen3-8b on L4 --gpu-memory-utilization 90", flags).flags

    assert said.startswith("I took --gpu-memory-utilization 90 as 0.9")


def test_a_flag_that_sizing_does_not_count_is_said(flags):
    found = left("qwen3-8b on L4 --enable-dbo --port 80", flags).flags

    assert ("I left --enable-dbo out of the budget: it has two half batches in flight.",) == found


def test_a_flag_that_the_version_does_not_have_is_said_without_a_command_too(flags):
    found = left("qwen3-8b on L4 --async-scheduling --port 80, vllm 0.8.5", flags).flags

    assert ("vLLM 0.8.5 has no --async-scheduling yet; it came with 0.10.0.",) == found


def test_a_card_with_another_memory_than_it_has_is_told(flags):
    said = {
        text: left(text, flags).flags
        for text in ("m on H100 24GB", "m on H100 80GB", "m on H100 90GB", "m on A100 40GB", "m on L4 80GB")
    }

    assert {
        "m on H100 24GB": ("H100 SXM5 80GB has 79.65 GiB, not 24.00 GiB: I sized a card of 24.00 GiB.",),
        "m on H100 80GB": (),
        "m on H100 90GB": ("H100 SXM5 80GB has 79.65 GiB, not 90.00 GiB: I sized a card of 79.65 GiB.",),
        "m on A100 40GB": (),
        "m on L4 80GB": ("L4 has 22.49 GiB, not 80.00 GiB: I sized a card of 22.49 GiB.",),
    } == said


def test_the_memory_that_a_flag_gives_is_no_card(flags):
    text = "docker run --gpus all --shm-size 8g vllm/vllm-openai:v0.22.0 --model Qwen/Qwen3-14B"

    assert "gpu_memory" not in left(text, flags).facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("qwen3-8b with 8k context on L40S --max-model-len 4096", ("max_model_len", 4096)),
        ("qwen3-8b on L40S --max-num-seqs 8 --max-num-seqs 0", ("max_num_seqs", "0")),
        ("vllm serve Qwen/Qwen3-8B --max-num-seqs 8 --max-num-seqs 0", ("max_num_seqs", "0")),
    ],
)
def test_the_last_flag_of_its_name_counts(text, fact, flags):
    assert (fact,) == tuple(left(text, flags).facts.items())


def test_a_flag_read_as_it_stands_is_nothing_more(flags):
    text = "vllm serve Qwen/Qwen3-8B --max-num-seqs 8 --enable-lora --served-model-name squawk"

    assert ({}, ()) == (left(text, flags).facts, left(text, flags).misfits)


def test_a_flag_behind_a_switch_is_no_value_of_it(flags):
    (found,) = left("qwen3-8b on L40S --enforce-eager --max-model-len", flags).misfits

    assert "max_model_len" == found.fact
