"""What a checkpoint leaves in 16 bits when only its name is known."""

from __future__ import annotations

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Quantization
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.recipes import alternatives, as_made, leaves_room


def deployment(model: str = "RedHatAI/Qwen3.6-35B-A3B-NVFP4") -> Deployment:
    return Deployment(model=model, shape=find_model(model).shape, vllm_version="0.20.0")


def test_the_makers_of_the_tool_leave_delta_layers_in_16_bits():
    assert weights_per_gpu(deployment()).in_gib == pytest.approx(21.86, abs=0.01)  # as printed with 0.20


def test_others_are_taken_to_pack_them():
    found = deployment("unsloth/Qwen3.8-27B-NVFP4")

    assert found.shape is not None
    assert found.shape.quantization == as_made(found.shape.quantization, found.shape)


def test_both_recipes_are_held_ready_where_neither_is_known():
    found = deployment("unsloth/Qwen3.8-27B-NVFP4")
    packed, left = (weights_per_gpu(each).in_gib for each in alternatives(found, found.shape.quantization))

    assert packed == pytest.approx(weights_per_gpu(found).in_gib)
    assert left > packed + 5


@pytest.mark.parametrize(
    ("model", "facts"),
    [
        ("Qwen/Qwen3-8B", {"method": "compressed-tensors", "bits": 4, "is_known": False}),
        ("Qwen/Qwen3.6-35B-A3B", {"method": "compressed-tensors", "bits": 4}),
        ("Qwen/Qwen3.6-35B-A3B", {"method": "compressed-tensors", "bits": 8, "is_known": False}),
        ("Qwen/Qwen3.6-35B-A3B", {"method": "gguf", "bits": 4, "is_known": False}),
        ("Qwen/Qwen3.6-35B-A3B", {"method": "modelopt", "bits": 4, "is_known": False, "excluded": ("lm_head",)}),
    ],
)
def test_a_list_that_is_known_or_has_nothing_to_leave_out_is_no_doubt(model: str, facts: dict):
    shape = find_model(model).shape

    assert shape is not None
    assert not leaves_room(Quantization(**facts), shape)
