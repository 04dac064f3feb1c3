"""Which values a fact that nobody stated may have beside its default."""

from __future__ import annotations

from typing import Any

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.fitting import Fitting
from bot.diagnosis.rivals import Told, rivals
from bot.sizing.defaults import with_defaults
from bot.sizing.terms import Measured
from bot.units import Bytes

ALL = Measured(weights=Bytes.gib(1), kv_available=Bytes.gib(1), kv_tokens=1)


def found_for(
    model: str = "Qwen/Qwen3-8B",
    gpu: str = "A100",
    seen: Measured = ALL,
    *,
    tells_flags: bool = False,
    least: int = 1,
    **facts: Any,
) -> dict[str, tuple[Any, ...]]:
    match = find_gpu(gpu)
    stated = Deployment(model=model, shape=find_model(model).shape, card=match.card, vllm_version="0.19.0").with_(
        **facts
    )
    told = Told(stated, with_defaults(stated)[0], tells_flags)
    fitting = Fitting(seen, tells_flags, not match.candidates)
    return {name: values for name, values in rivals(told, fitting, least, match.candidates).items() if values}


def test_without_its_flags_a_run_may_be_laid_stored_and_quantized_otherwise():
    assert {"tensor_parallel", "card", "kv_cache_dtype", "quantization"} == found_for().keys()


@pytest.mark.parametrize(
    ("facts", "sizes"),
    [
        ({}, (2, 4, 8, 16)),  # the default is one GPU
        ({"gpu_count": 6}, (1, 2)),  # four of six, for the model has 32 heads
        ({"gpu_count": 1}, None),
        ({"gpu_count": 8, "data_parallel": 2}, (1, 2)),
        ({"tensor_parallel": 4}, None),
        ({"least": 3}, (4, 8, 16)),
        ({"tells_flags": True}, None),
        ({"tells_flags": True, "least": 2}, (2, 4, 8, 16)),  # then a flag is missing after all
    ],
)
def test_a_model_may_lie_on_as_many_gpus_as_split_it(facts: dict[str, Any], sizes: tuple[int, ...] | None):
    assert sizes == found_for(**facts).get("tensor_parallel")


def test_a_model_that_nobody_knows_is_not_split():
    told = Told(Deployment(), Deployment(), tells_flags=False)

    assert {"tensor_parallel": ()} == rivals(told, Fitting(Measured(), False, True), 1, ())


@pytest.mark.parametrize(
    ("gpu", "names"),
    [
        ("A100", ["A100 SXM4 40GB"]),
        ("H20", ["H20-3e 141GB"]),
        ("RTX 3080", ["GeForce RTX 3080 12GB"]),
        ("L40S", None),
        ("A100 80GB", None),
    ],
)
def test_a_card_may_be_another_of_its_name_that_has_another_memory(gpu: str, names: list[str] | None):
    cards = found_for(gpu=gpu).get("card")

    assert names == (cards and [card.name for card in cards])


@pytest.mark.parametrize(("version", "count"), [("0.19.0", 1), ("0.20.0", 8), ("0.28.0", 9)])
def test_a_cache_may_be_kept_in_what_the_release_knows(version: str, count: int):
    assert count == len(found_for(vllm_version=version)["kv_cache_dtype"])


def test_only_a_model_with_layers_for_it_drafts_by_itself():
    drafted = found_for("Qwen/Qwen3-Next-80B-A3B-Instruct")["speculation"]

    assert ([1, 2, 3, 4, 5], "mtp") == ([each.tokens for each in drafted], drafted[0].kind)


@pytest.mark.parametrize(
    ("facts", "open_ones"),
    [
        ({"seen": Measured()}, {"tensor_parallel"}),
        ({"seen": Measured(weights=Bytes.gib(1)), "quantization": "fp8"}, {"tensor_parallel"}),
        ({"seen": Measured(weights=Bytes.gib(1)), "model": "Qwen/Qwen3-8B-FP8"}, {"tensor_parallel"}),
        ({"seen": Measured(kv_available=Bytes.gib(1))}, {"tensor_parallel", "card"}),
        ({"kv_cache_dtype": "fp8"}, {"tensor_parallel", "card", "quantization"}),
        ({"tells_flags": True}, {"card"}),
    ],
)
def test_only_what_was_not_told_and_what_the_figures_tell_is_open(facts: dict[str, Any], open_ones: set[str]):
    assert open_ones == found_for(**facts).keys()
