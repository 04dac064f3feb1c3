"""What a fact is, and when two of them contradict."""

from __future__ import annotations

from typing import Any

import pytest

from bot.deployment import Deployment
from bot.facts import FACTS, Fact, Origin, contradict


def a_fact(name: str, value: Any, origin: Origin = Origin.PASTED) -> Fact:
    return Fact(name=name, value=value, origin=origin)


def test_an_answer_contradicts_nobody() -> None:
    assert not contradict(a_fact("max_model_len", 8192), a_fact("max_model_len", 4096, Origin.ANSWERED))


def test_a_path_and_the_name_in_it_do_not_contradict() -> None:
    assert not contradict(a_fact("model", "/models/acme-8b"), a_fact("model", "acme/acme-8b"))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("model", "acme/parrot-7b", "acme/parrot-14b"),
        ("model", "mistral 7b", "llama 7b"),
        ("gpu", "A10", "A100"),
        ("kv_cache_dtype", "fp8_e4m3", "bfloat16"),
    ],
)
def test_two_names_of_different_things_contradict(name: str, one: str, other: str) -> None:
    assert contradict(a_fact(name, one), a_fact(name, other))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("model", "llama 3.1 8b", "meta-llama/Llama-3.1-8B-Instruct"),
        ("gpu", "4090", "RTX4090"),
        ("gpu", "H100 SXM", "NVIDIA H100 80GB HBM3"),
    ],
)
def test_two_names_of_one_thing_do_not_contradict(name: str, one: str, other: str) -> None:
    assert not contradict(a_fact(name, one), a_fact(name, other))


def test_two_who_publish_a_model_of_one_name_do_not_contradict() -> None:
    assert not contradict(a_fact("model", "acme/acme-8b"), a_fact("model", "other/acme-8b"))


@pytest.mark.parametrize("name", [name for name, kind in FACTS.items() if kind.choices])
def test_every_choice_of_a_fact_is_one_of_the_deployment(name):
    for choice in FACTS[name].choices:
        assert choice == getattr(Deployment.model_validate({name: choice}), name)
