"""The layer that needs most: an MLP, the experts, or what several residual streams bring."""

import pytest

from bot.catalog.models import find_model
from bot.model_shape import Moe, Wiring
from bot.sizing.overhead import layer_peaks
from tests.sizing.overhead.makers import dense, run


def test_few_rows_of_logits_leave_the_peak_to_a_layer(h100):
    """As many bytes as a log showed apart from its graphs, for a 4B model whose batch holds 2048 tokens."""
    found = run(find_model("Qwen/Qwen3-4B-AWQ").shape, h100, max_num_batched_tokens=2048)

    assert layer_peaks.mlp(found) / 2**30 == pytest.approx(0.15, abs=0.005)


def test_few_sequences_leave_the_peak_to_the_experts(h100):
    experts = {"moe": Moe(experts=64, experts_per_token=6, intermediate=1408)}
    shape = dense(hidden=2048, intermediate=10_944).model_copy(update=experts)
    one, two = (
        layer_peaks.layer_peak(run(shape, h100, vllm_version="0.13.0", max_num_batched_tokens=tokens))
        for tokens in (4096, 8192)
    )

    assert one == 4096 * 2 * (3.8 * 2048 + 6 * (2816 + 1408))
    assert two == 2 * one


def test_float32_doubles_a_layer(h100):
    half, full = (run(dense(), h100, dtype=dtype) for dtype in ("bfloat16", "float32"))

    assert layer_peaks.mlp(full) == 2 * layer_peaks.mlp(half)


def test_residual_streams_are_there_as_they_come_and_as_they_go(h100):
    one, four = (
        run(dense().model_copy(update={"wiring": Wiring(hyper_connections=streams)}), h100, max_num_batched_tokens=8192)
        for streams in (0, 4)
    )

    assert 8192 * 4 * one.shape.hidden * 4 == layer_peaks.layer_peak(four) - layer_peaks.layer_peak(one)
