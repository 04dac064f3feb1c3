"""What is said of facts that were worked out."""

from __future__ import annotations

from typing import Any

import pytest

from bot.deployment import Deployment, Gpu, Speculation
from bot.diagnosis.ranks import Ranks
from bot.diagnosis.say_untold import Untold, ground_of_figure, ground_of_length, ground_of_ranks
from bot.sizing.calibrate import Residual
from bot.sizing.terms import Measured
from bot.units import Bytes
from tests.diagnosis.makers import evidence_of

SEEN = Measured(weights=Bytes.gib(7.64), kv_available=Bytes.gib(10), kv_tokens=145_632)


@pytest.mark.parametrize(
    ("term", "ground"),
    [
        ("weights", "7.64 GiB of weights a GPU (line 1)"),
        ("tokens_of_memory", "10.00 GiB hold 145,632 tokens (line 1)"),
        ("kv_available", "10.00 GiB for the KV cache (line 1)"),
        ("room", "10.00 GiB for the KV cache beside the weights (line 1)"),
        ("kv_needed", "one request needs 5.62 GiB of KV cache (line 1)"),
    ],
)
def test_a_figure_is_told_with_its_line(term: str, ground: str):
    logged = Bytes.gib(5.62) if term == "kv_needed" else 145_632
    printed = evidence_of(weights=1, kv_available=1, kv_tokens=1, kv_needed=1)

    assert ground == ground_of_figure(Residual(term, 0, 0, 0, logged), SEEN, printed)


def test_a_figure_that_was_noted_down_has_no_line():
    assert "7.64 GiB of weights a GPU" == ground_of_figure(Residual("weights", 0, 0, 0, 0), SEEN, evidence_of())


def test_a_length_is_told_with_its_line():
    assert "the log counts requests of 16,000 tokens (line 1)" == ground_of_length(
        16_000, evidence_of(concurrency_len=16_000)
    )


@pytest.mark.parametrize(
    ("fact", "ranks", "ground"),
    [
        ("tensor_parallel", Ranks(4, None, 3), "a worker is named TP3 (line 3)"),
        ("pipeline_parallel", Ranks(2, 2, 3), "a worker is named PP1 (line 3)"),
        ("tensor_parallel", Ranks(1, 1, 3), "one process does all the work (line 3)"),
        ("expert_parallel", Ranks(1, 1, 3), "a worker has a rank of experts (line 3)"),
    ],
)
def test_a_name_of_a_process_is_told_with_its_line(fact: str, ranks: Ranks, ground: str):
    assert ground == ground_of_ranks(fact, ranks)


A40, A80 = Gpu(name="A100 40GB"), Gpu(name="A100 80GB")


@pytest.mark.parametrize(
    ("values", "sentence", "assumption"),
    [
        ({"tensor_parallel": 4}, "It is so: tensor parallel size 4, not 1.", ("tensor_parallel", "4")),
        ({"max_model_len": 16_000}, "It is so: context length 16,000, not 40,960.", ("max_model_len", "16000")),
        ({"expert_parallel": True}, "It is so: experts are parallel.", ("expert_parallel", "True")),
        ({"kv_cache_dtype": "fp8"}, "It is so: the KV cache is kept in fp8.", ("kv_cache_dtype", "fp8")),
        ({"card": A40}, "It is so: it is the A100 40GB, not the A100 80GB.", ("gpu", "A100 40GB")),
        (
            {"speculation": Speculation(method="mtp", tokens=3)},
            "It is so: 3 tokens are drafted by MTP.",
            ("speculation", "mtp 3"),
        ),
    ],
)
def test_what_was_worked_out_is_said_in_a_sentence_and_stands_as_an_assumption(
    values: dict[str, Any], sentence: str, assumption: tuple[str, str]
):
    default = Deployment(tensor_parallel=1, max_model_len=40_960, card=A80)
    found = Untold(default).and_(values, default, "it is so")

    assert default.with_(**values) == found.deployment
    assert (sentence,) == found.remarks
    assert [(*assumption, "it is so")] == [(each.name, each.value, each.because) for each in found.assumptions]


def test_several_values_of_one_print_are_one_sentence():
    values = {"kv_cache_dtype": "fp8", "tensor_parallel": 2}
    found = Untold(Deployment()).and_(values, Deployment(tensor_parallel=1), "it is so")

    assert ("It is so: the KV cache is kept in fp8 and tensor parallel size 2, not 1.",) == found.remarks
