"""Flags that vLLM lacks and that name something of ours."""

import click
import pytest

from bot.catalog.load import load_lazily
from bot.cli.size import command as size_command
from bot.diagnosis.wordings.leftover import leftover
from bot.diagnosis.wordings.own_names import OPTIONS, find_own, say_unknown
from bot.reading.read import read

_FLAGS = load_lazily().flags


def owned(*said):
    return [(own.fact, own.meant) for own in find_own(said, _FLAGS)]


def test_the_options_are_those_that_size_has():
    options = {name for each in size_command.params if isinstance(each, click.Option) for name in each.opts}

    assert set(OPTIONS) == options - {"--markdown"}


@pytest.mark.parametrize(
    ("name", "value", "fact"),
    [
        ("--gpu-count", "8", ("gpu_count", 8)),
        ("--gpus", "8", ("gpu_count", 8)),
        ("--gpus", "L40S", ("gpu", "L40S")),
        ("--gpu", "H100", ("gpu", "H100")),
        ("--users", "2K", ("wanted_concurrency", 2048)),
        ("--nodes", "2", ("nodes", 2)),
    ],
)
def test_what_names_a_fact_is_that_fact(name, value, fact):
    assert [fact] == owned((name, value))


def test_a_version_is_one_however_it_is_called():
    assert ["0.19.1"] * 3 == [str(owned((name, "0.19.1"))[0][1]) for name in ("--vllm", "--version", "--vllm-version")]


@pytest.mark.parametrize("said", [("--gpus", "all"), ("--vllm", "latest"), ("--gpu-count", ""), ("--nnodes", "2")])
def test_what_cannot_be_it_and_what_vllm_has_is_not_ours(said):
    assert [] == owned(said)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("--gpu-cnt", "8", "--gpu-cnt is no flag that I know; did you mean --gpu-count 8?"),
        ("--contxt", "4k", "--contxt is no flag that I know; did you mean --context 4k?"),
        ("--gpus", "all", "--gpus is no flag of vLLM's, and I cannot take 'all' as number of GPUs."),
        ("--details", "", "--details is an option of ours; write it outside of the description."),
        ("--prefix-caching", "", "--prefix-caching is no flag of vLLM's that I know; did you mean --enable-prefix-caching?"),
    ],
)  # fmt: skip
def test_of_what_nobody_knows_the_nearest_is_named_with_its_value(name, value, sentence):
    assert sentence == say_unknown(name, value, _FLAGS)


def test_what_was_taken_is_said_once_and_is_not_in_the_command():
    text = "vllm serve Qwen/Qwen3-8B --gpu L40S --seed 3 --gpu-count=2"
    found = leftover(text, read(text), _FLAGS)

    assert ("L40S", 2, "vllm serve Qwen/Qwen3-8B --seed 3") == (
        found.facts["gpu"],
        found.facts["gpu_count"],
        found.facts["command"],
    )
    assert [
        "--gpu is no flag of vLLM's; I took it as GPU: L40S.",
        "--gpu-count is no flag of vLLM's; I took it as number of GPUs: 2.",
    ] == list(found.flags)


def test_the_cards_of_a_container_are_not_asked_of_us():
    text = "docker run --gpus all vllm/vllm-openai:v0.11.0 --model Qwen/Qwen3-8B"

    assert () == leftover(text, read(text), _FLAGS).flags
