"""Which figures of a log survive a change."""

from __future__ import annotations

import pytest

from bot.deployment import Deployment
from bot.diagnosis.measured import is_figure, measured_in, still_measured
from bot.sizing.terms import Measured
from bot.units import Bytes
from tests.diagnosis.makers import evidence_of

STATED = Deployment(model="m")
FILLED = Deployment(
    model="m",
    gpu_memory_utilization=0.9,
    tensor_parallel=1,
    max_model_len=100,
    kv_cache_dtype="auto",
    enforce_eager=False,
)
LOGGED = Measured(
    total=Bytes.gib(20),
    weights=Bytes.gib(10),
    activation=Bytes.gib(1),
    kv_available=Bytes.gib(5),
    kv_tokens=500,
    cudagraph=Bytes.gib(1),
)


def kept(**facts: object) -> set[str]:
    after = still_measured(LOGGED, STATED, FILLED, STATED.with_(**facts))
    return {name for name in Measured.model_fields if getattr(after, name) is not None}


ALL = {"total", "weights", "activation", "kv_available", "kv_tokens", "cudagraph"}


@pytest.mark.parametrize(
    ("facts", "lost"),
    [
        ({}, set()),
        ({"max_model_len": 50}, set()),
        ({"kv_cache_dtype": "fp8"}, {"kv_tokens"}),
        ({"gpu_memory_utilization": 0.95}, {"kv_tokens"}),
        ({"enforce_eager": True}, {"cudagraph", "kv_available", "kv_tokens"}),
        ({"max_num_batched_tokens": 2048}, {"activation", "kv_available", "kv_tokens"}),
        ({"tensor_parallel": 2}, ALL - {"total"}),
        ({"model": "other"}, ALL - {"total"}),
    ],
)
def test_a_change_spoils_what_depends_on_it(facts: dict[str, object], lost: set[str]):
    assert ALL - lost == kept(**facts)


def test_to_say_a_default_aloud_changes_nothing():
    assert ALL == kept(gpu_memory_utilization=0.9, tensor_parallel=1)


def test_the_cache_moves_with_the_allowance():
    after = still_measured(LOGGED, STATED, FILLED, STATED.with_(gpu_memory_utilization=0.95))

    assert str(Bytes.gib(6)) == str(after.kv_available)


def test_figures_are_taken_from_the_evidence():
    assert Measured(weights=Bytes.gib(3)) == measured_in(evidence_of(weights=Bytes.gib(3), max_model_len=5))


@pytest.mark.parametrize(
    ("name", "raw", "is_one"),
    [
        ("kv_available", 3.5, True),
        ("kv_tokens", 28_752, True),
        ("kv_tokens", 1.5, False),
        ("kv_available", -1.5, True),
        ("weights", -1.5, False),
        ("kv_tokens", -1, False),
        ("total", float("inf"), False),
        ("total", True, False),
    ],
)
def test_a_figure_is_finite_and_whole_where_it_counts_and_seldom_negative(
    name: str, raw: object, *, is_one: bool
) -> None:
    assert is_one == is_figure(name, raw)
