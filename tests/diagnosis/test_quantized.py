"""Quantized siblings that the catalogue knows."""

from __future__ import annotations

from bot.deployment import Deployment, ModelShape
from bot.diagnosis.quantized import find_quantized


def test_a_sibling_has_the_same_heads_and_fewer_bits(llama_8b: ModelShape):
    found = find_quantized(Deployment(model=llama_8b.name, shape=llama_8b))

    assert found is not None
    assert "Llama-3.1-8B-Instruct" in found
    assert found != llama_8b.name


def test_a_model_that_nobody_quantized_has_none(llama_8b: ModelShape):
    assert find_quantized(Deployment(shape=llama_8b.model_copy(update={"name": "nobody/knows-this-one"}))) is None


def test_what_is_quantized_already_is_left_alone(llama_8b: ModelShape):
    assert find_quantized(Deployment(shape=llama_8b, quantization="awq")) is None
    assert find_quantized(Deployment()) is None
