"""What of a command says nothing to us."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flags
from bot.catalog.load import load_lazily
from bot.deployment import Deployment, read_version
from bot.diagnosis.unheard import MOST, say_absent, say_fact, taken_otherwise, uncounted, unheard, unread
from bot.reading.read import read


@pytest.fixture(scope="module")
def flags() -> Flags:
    return load_lazily().flags


def told(command: str, flags: Flags) -> tuple[str, ...]:
    return unheard(read(command), flags)


def test_a_flag_that_nobody_knows_is_named(flags: Flags):
    assert ("--nonsense is no flag of vLLM's that I know; I left it out of account.",) == told(
        "vllm serve Qwen/Qwen3-8B --nonsense 5", flags
    )


def test_the_flag_that_was_probably_meant_is_named(flags: Flags):
    assert ("--max-modelling is no flag of vLLM's that I know; did you mean --max-model-len?",) == told(
        "vllm serve Qwen/Qwen3-8B --max-modelling 4096", flags
    )


def test_the_flag_that_only_can_be_meant_is_read_and_named(flags: Flags):
    assert ("--max-modle-len is no flag of vLLM's; I read it as --max-model-len.",) == told(
        "vllm serve Qwen/Qwen3-8B --max-modle-len 4096", flags
    )


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("--kv-cache-dtype bar", "bar is no value of --kv-cache-dtype that I know; it takes auto, fp8, fp8_e4m3"),
        ("--quantization foo", "foo is no value of --quantization that I know; it takes awq, gptq"),
        ("--load-format safetensor", "safetensor is no value of --load-format that I know; did you mean safetensors?"),
        ("--dtype bflot16", "bflot16 is no value of --dtype that I know; did you mean bfloat16?"),
    ],
)
def test_a_word_that_a_flag_does_not_take_is_named(argument: str, said: str, flags: Flags):
    (sentence,) = told(f"vllm serve Qwen/Qwen3-8B {argument}", flags)

    assert sentence.startswith(said)


@pytest.mark.parametrize(
    ("version", "argument", "said"),
    [
        ("0.19.0", "--task generate", "vLLM 0.19.0 no longer has --task; --runner took its place."),
        ("0.19.0", "--swap-space=4", "vLLM 0.19.0 no longer has --swap-space."),
        ("0.4.0", "--enable-expert-parallel", "vLLM 0.4.0 has no --enable-expert-parallel yet; it came with"),
    ],
)
def test_a_flag_that_this_version_lacks_is_named(version: str, argument: str, said: str, flags: Flags):
    (sentence,) = told(f"vllm serve Qwen/Qwen3-8B {argument} # vllm {version}", flags)

    assert sentence.startswith(said)


@pytest.mark.parametrize(
    "command",
    [
        "vllm serve Qwen/Qwen3-8B --trust-remote-code --dtype half --kv_cache_dtype fp8_e5m2 --load-format auto",
        "vllm serve Qwen/Qwen3-8B-AWQ --quantization AWQ_Marlin --enable-auto-tool-choice --tool-call-parser hermes",
        "docker run --gpus all --ipc=host vllm/vllm-openai:v0.11.0 --model Qwen/Qwen3-8B --swap-space 4",
        "docker run --device nvidia.com/gpu=all vllm/vllm-openai:v0.19.0 --model Qwen/Qwen3-8B",
        "vllm serve Qwen/Qwen3-8B --swap-space 4",
        "thanks --a lot",
    ],
)
def test_of_a_plain_command_nothing_is_said(command: str, flags: Flags):
    assert () == told(command, flags)


def test_many_unknown_flags_are_not_all_named(flags: Flags):
    command = " ".join(f"--zyx{letter * 3} 1" for letter in "abcdefg")

    assert MOST == len(told(f"vllm serve Qwen/Qwen3-8B {command}", flags))


def test_a_misspelt_fact_is_told_from_an_unknown_one():
    assert "did you mean max_model_len?" in say_fact("max_modl_len")
    assert "'zyx' is no fact I know" == say_fact("zyx")


def test_a_setting_that_a_version_has_no_way_to_make_is_named(flags: Flags):
    deployment = Deployment(vllm_version=read_version("0.4.2"))

    assert ["vLLM 0.4.2 has no --enable-expert-parallel yet; it came with 0.8.0."] == list(
        say_absent(deployment, ["expert_parallel"], flags)
    )
    assert [] == list(say_absent(Deployment(), ["expert_parallel"], flags))


def test_a_percentage_without_its_sign_is_said_to_be_a_share(flags: Flags):
    assert ("I took --gpu-memory-utilization 90 as 0.9: vLLM takes a share of the card, at most 1.",) == told(
        "vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 90", flags
    )


@pytest.mark.parametrize("share", ["0.9", "90%", "1.5", "lots"])
def test_a_share_as_it_is_written_needs_no_word(share: str):
    assert taken_otherwise("--gpu-memory-utilization", share) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("-tp 0", ["-tp takes no '0'; I left it out of account."]),
        ("--max-num-seqs lots --port 80", ["--max-num-seqs takes no 'lots'; I left it out of account."]),
        ("--max-num-seqs $SEQS", []),
        ("--quantization None", []),
        ("--max-model-len -1", []),
        ("-tp 2 --enforce-eager", []),
    ],
)
def test_a_value_that_reads_as_none_is_named(arguments: str, said: list[str]):
    assert said == list(unread(read(f"vllm serve Qwen/Qwen3-8B {arguments}")))


def test_a_flag_that_sizing_does_not_count_is_named(flags: Flags):
    command = "vllm serve Qwen/Qwen3-30B-A3B --enable-eplb --port 80 --enable-eplb"

    assert ["I left --enable-eplb out of the budget: it keeps copies of experts."] == list(
        uncounted(read(command), flags)
    )
