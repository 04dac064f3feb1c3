"""How far printed weights may lie from the sum of the tensors."""

from __future__ import annotations

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.size import size


def weights(model: str, card: str, version: str = "0.19.0", **facts):
    deployment = Deployment(
        model=model, shape=find_model(model).shape, card=find_gpu(card).card, vllm_version=version, **facts
    )
    term = size(deployment).term("weights")
    assert term is not None
    return term


@pytest.mark.parametrize(
    ("model", "card", "facts", "printed"),
    [
        ("meta-llama/Llama-3.1-8B", "H100", {}, 14.99),
        ("Qwen/Qwen2.5-72B-Instruct", "H100", {"tensor_parallel": 2}, 67.80),
        ("google/gemma-3-27b-it", "H100", {}, 51.45),
        ("RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w8a8", "H100", {}, 67.72),
        ("openai/gpt-oss-120b", "H100", {"version": "0.14.1"}, 64.38),
        ("openai/gpt-oss-120b", "H100", {"version": "0.11.0"}, 65.97),
        ("openai/gpt-oss-20b", "H100", {"tensor_parallel": 2}, 7.01),
        ("Qwen/Qwen2.5-7B-Instruct", "RTX 4090", {"version": "0.24.0"}, 14.29),
        ("Qwen/Qwen3-4B-FP8", "RTX 3080", {"version": "0.8.5"}, 4.22),
        ("Qwen/Qwen2.5-7B-Instruct-AWQ", "H200", {"version": "0.31.0"}, 5.38),
        ("meta-llama/Llama-3.3-70B-Instruct", "MI300X", {"version": "0.14.1"}, 131.62),
        ("deepseek-ai/DeepSeek-R1-0528", "MI300X", {"version": "0.14.1", "tensor_parallel": 8}, 81.31),
        ("RedHatAI/Qwen3-Coder-Next-FP8-dynamic", "H200", {"version": "0.18.0"}, 76.27),
    ],
)
def test_what_logs_printed_lies_inside(model: str, card: str, facts: dict, printed: float):
    term = weights(model, card, **facts)

    assert term.low.in_gib - 0.005 <= printed <= term.high.in_gib + 0.005


def test_a_plain_checkpoint_is_known_to_half_a_percent():
    term = weights("meta-llama/Llama-3.1-8B", "H100")

    assert (term.high - term.low) / term.amount < 0.006


def test_an_unknown_recipe_spans_both_and_says_why():
    term = weights("unsloth/Qwen3.8-27B-NVFP4", "RTX PRO 6000")

    assert term.high.in_gib > 1.3 * term.amount.in_gib
    assert "DeltaNet" in term.because
