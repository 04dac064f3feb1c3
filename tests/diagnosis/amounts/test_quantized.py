"""Quantized siblings that the catalogue knows."""

from __future__ import annotations

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.amounts.quantized import find_quantized
from bot.model_shape import ModelShape


def a_deployment(model: str = "Qwen/Qwen2.5-32B-Instruct", gpu: str | None = "H100", **facts: object) -> Deployment:
    card = find_gpu(gpu).card if gpu else None
    known = {"vllm_version": "0.19.0", "max_model_len": 8192, **facts}
    return Deployment(model=model, shape=find_model(model).shape, card=card, **known)


def test_a_sibling_has_the_same_heads_and_fewer_bits(llama_8b: ModelShape):
    found = find_quantized(Deployment(model=llama_8b.name, shape=llama_8b))

    assert found is not None
    assert "Llama-3.1-8B-Instruct" in found
    assert found != llama_8b.name


def test_the_least_loss_that_fits_is_chosen():
    assert "Int8" in (find_quantized(a_deployment(gpu="H100")) or "")
    assert "AWQ" in (find_quantized(a_deployment(gpu="RTX 4090")) or "")


def test_fp4_is_for_cards_that_compute_in_it():
    model = "meta-llama/Llama-3.3-70B-Instruct"

    assert "FP4" not in (find_quantized(a_deployment(model, "L40S")) or "")


@pytest.mark.parametrize("gpu", ["T4", "V100"])
def test_a_format_that_the_card_cannot_do_is_not_offered(gpu: str):
    found = find_quantized(a_deployment("Qwen/Qwen3-14B", gpu, vllm_version="0.10.2"))

    assert "FP8" not in (found or "")


def test_a_model_that_nobody_quantized_has_none(llama_8b: ModelShape):
    assert find_quantized(Deployment(shape=llama_8b.model_copy(update={"name": "nobody/knows-this-one"}))) is None


def test_what_is_quantized_already_is_left_alone(llama_8b: ModelShape):
    assert find_quantized(Deployment(shape=llama_8b, quantization="awq")) is None
    assert find_quantized(Deployment()) is None


def test_a_quantized_checkpoint_has_smaller_siblings_or_those_that_run():
    smaller = find_quantized(a_deployment("deepseek-ai/DeepSeek-V3", "H200"))
    running = find_quantized(a_deployment("Qwen/Qwen3-32B-AWQ", "V100"))

    assert "AWQ" in (smaller or "")
    assert running
    assert "AWQ" not in running
    assert find_quantized(a_deployment("Qwen/Qwen3-32B-AWQ", "H100")) is None


def test_a_format_that_the_likely_version_no_longer_has_is_not_offered():
    old, latest = (a_deployment("Qwen/Qwen2.5-7B", "L4", vllm_version=version) for version in ("0.19.0", None))

    assert "bnb" in (find_quantized(old) or "")
    assert "bnb" not in (find_quantized(latest) or "")
