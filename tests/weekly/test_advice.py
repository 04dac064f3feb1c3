from __future__ import annotations

from typing import Any

import pytest

from bot.weekly.advice import advice
from bot.weekly.figures import Names
from tests.weekly.makers import a_week, an_incident, plain

NAMES = Names(flags={"max_model_len": "--max-model-len", "tensor_parallel": "--tensor-parallel-size"})


def test_a_setting_that_would_have_helped_often_is_written_as_each_template_needs_it() -> None:
    cases = [
        an_incident(model=f"org/{model}", gpu="NVIDIA L4", patch={"max_model_len": length})
        for model, length in (("a", 32768), ("a", 16384), ("b", 8192), ("c", 4096))
    ]

    told = plain(advice(a_week(*cases, an_incident(), names=NAMES)))

    assert "--max-model-len would have helped in 4 of 5 cases: --max-model-len 16384 for a on L4 (2); " in told
    assert told.endswith("--max-model-len 4096 for c on L4 (1)")


def test_a_fix_of_two_settings_names_both() -> None:
    patch = {"tensor_parallel": 2, "max_model_len": 8192}

    told = plain(advice(a_week(*(an_incident(model="a", patch=patch) for _ in range(2)), names=NAMES)))

    assert "--max-model-len and --tensor-parallel-size would have helped in 2 of 2 cases" in told
    assert "--max-model-len 8192 --tensor-parallel-size 2 for a (2)" in told


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("max_model_len", (8192, 4096), "--max-model-len 4096"),
        ("tensor_parallel", (2, 4), "--tensor-parallel-size 4"),
        ("gpu_memory_utilization", (0.95, 0.9), "--gpu-memory-utilization 0.9"),
        ("enforce_eager", (True, True), "--enforce-eager for"),
        ("swap_space", (None, None), "no --swap-space for"),
    ],
)
def test_where_cases_differ_the_value_that_serves_all_is_told(name: str, values: tuple[Any, Any], said: str) -> None:
    cases = [an_incident(model="a", patch={name: value}) for value in values]

    assert said in plain(advice(a_week(*cases, names=NAMES)))


def test_a_single_case_is_no_pattern() -> None:
    assert [] == advice(a_week(an_incident(patch={"max_model_len": 4096})))


def test_a_private_channel_is_counted_and_nothing_of_its_template_is_told() -> None:
    cases = [an_incident(channel="G1", model="secret", patch={"max_model_len": 4096}) for _ in range(2)]

    told = plain(advice(a_week(*cases)))

    assert "secret" not in told
    assert "4096" not in told
    assert told.endswith("2 in private channels")


def test_templates_beyond_the_first_few_are_counted() -> None:
    cases = [an_incident(model=f"m{n}", patch={"max_model_len": 4096}) for n in range(5)]

    assert plain(advice(a_week(*cases))).endswith("; 2 more templates")
