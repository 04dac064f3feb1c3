"""The command that starts what was sized, and every other one on offer: read again, each starts and holds what was said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.consult import Sized, size
from bot.sizing.terms import Budget

MODELS = (
    "Qwen/Qwen2.5-7B-Instruct",
    "meta-llama/Llama-3.3-70B-Instruct",
    "Qwen/Qwen3-30B-A3B",
    "deepseek-ai/DeepSeek-V2-Lite-Chat",
    "microsoft/phi-4",
    "Qwen/Qwen2.5-14B-Instruct-AWQ",
    "google/gemma-3-27b-it",
)
CARDS = ("T4", "L4", "V100", "RTX 3090", "A100 40GB", "L40S", "H100")
RELEASES = ("0.4.2", "0.6.3", "0.8.5", "0.11.0", "0.17.1", "0.19.0", "0.29.0", None)
SETTINGS = (
    "--max-model-len 4096",
    "--max-model-len 30000",
    "--max-num-seqs 1024",
    "--gpu-memory-utilization 0.5",
    "--kv-cache-dtype fp8",
    "--enforce-eager",
    "-tp 2",
    "-tp 3",
    "-pp 2",
    "-dcp 2",
    "--enable-expert-parallel",
    "--cpu-offload-gb 8",
)


@st.composite
def descriptions(draw: st.DrawFn) -> tuple[str, str, int, str]:
    """Return a deployment in words, and its card, how many of them there are, and what is said of the version."""
    model, card, release = (draw(st.sampled_from(each)) for each in (MODELS, CARDS, RELEASES))
    count = draw(st.sampled_from((1, 2, 4, 8)))
    settings = draw(st.lists(st.sampled_from(SETTINGS), max_size=2, unique_by=lambda each: each.split()[0]))
    version = f", vllm {release}" if release else ""
    return f"{model} on {count}x {card}{version} {' '.join(settings)}", card, count, version


def offered(sized: Sized) -> Iterator[tuple[str, int, Budget]]:
    """Yield each command, the GPUs it takes, and what it was said to hold."""
    found = sized.diagnosis
    if found.budget and found.budget.fits and not found.refusals:
        yield sized.command, found.budget.deployment.gpus_taken, found.budget
    for item in found.prescriptions:
        if item.command and item.budget and item.deployment:
            yield item.command, item.deployment.gpus_taken, item.budget


@given(descriptions())
def test_every_command_starts_as_it_is_written_and_holds_what_is_said(description: tuple[str, str, int, str]):
    text, card, count, version = description
    for command, gpus, said in offered(size(text)):
        again = size(f"{command}\n{max(count, gpus)}x {card}{version}").diagnosis

        assert () == again.refusals, command
        assert again.budget, command
        assert (True, said.kv_tokens) == (again.budget.fits, again.budget.kv_tokens), command


@given(descriptions())
def test_no_two_fixes_are_one(description: tuple[str, str, int, str]):
    commands = [item.command for item in size(description[0]).diagnosis.prescriptions if item.command]

    assert len(set(commands)) == len(commands)
    assert not [command for command in commands if command.count("--max-model-len") > 1]


@given(descriptions())
def test_a_title_is_whole_and_counts_every_gpu(description: tuple[str, str, int, str]):
    for item in size(description[0]).diagnosis.prescriptions:
        assert not item.title.endswith(("up to", "over", "on", "Load"))
        if item.deployment and " GPUs" in item.title:
            assert f" {item.deployment.gpus_taken} GPUs" in item.title


def test_gpus_that_were_only_counted_are_in_every_command():
    found = size("llama-3.3-70b on 2xH100")
    commands = [found.command, *(item.command for item in found.diagnosis.prescriptions)]

    assert len(commands) > 2
    assert [] == [command for command in commands if command and "-parallel-size" not in command]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("phi-4 on T4 --max-model-len 30000, vllm 0.17.1", ["--max-model-len 16384", "--tensor-parallel-size"]),
        ("vllm serve Qwen/Qwen2.5-7B -tp 8 -dcp 2 vllm 0.19.0 on 8xH100", ["--tensor-parallel-size 4"]),
        ("vllm serve Qwen/Qwen3-8B --kv-cache-dtype fp8 on V100 32GB, vllm 0.11.0", ["vllm serve Qwen/Qwen3-8B"]),
        ("Qwen/Qwen2.5-7B-Instruct -tp 3 on 4xH100", ["--tensor-parallel-size 4"]),
    ],
)
def test_what_vllm_refuses_has_a_fix_that_starts(text: str, expected: list[str]):
    found = size(text).diagnosis
    commands = [item.command for item in found.prescriptions if item.command and item.budget]

    assert found.refusals
    assert commands
    assert all(part in commands[0] for part in expected)
    assert "-dcp" not in commands[0]


def test_the_cheapest_combination_is_among_the_fixes():
    found = size("meta-llama/Llama-3.3-70B-Instruct on L4").diagnosis
    first = next(item for item in found.prescriptions if item.deployment)

    assert first.deployment
    assert 4 == first.deployment.gpus_taken
    assert "awq" in (first.command or "").lower()


def test_what_names_no_checkpoint_has_no_command():
    assert not size("phi-4 awq on L4").command


def test_a_name_that_the_release_does_not_load_has_no_command():
    commands = [size(f"unsloth/Qwen3-8B-GGUF on L4 vllm {version}").command for version in ("0.11.2", "0.12.0")]

    assert ["", "vllm serve unsloth/Qwen3-8B-GGUF:Q4_K_M"] == commands


def test_an_even_share_that_was_chosen_is_said():
    assert "--gpu-memory-utilization 0.4" in size("vllm serve Qwen/Qwen2.5-7B\n2 instances of it on one L40S").command


def test_what_the_version_cannot_set_is_not_sized_either():
    found = size("mixtral-8x7b on 4xA100 80GB -tp 4 --enable-expert-parallel vllm 0.6.3")

    assert found.diagnosis.deployment.expert_parallel is None
    assert "expert" not in found.command
