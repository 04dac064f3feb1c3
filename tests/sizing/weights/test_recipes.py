"""What a checkpoint leaves in 16 bits when only its name is known."""

from __future__ import annotations

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import Quantization
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.recipes import alternatives, as_made, leaves_room


def deployment(model: str = "RedHatAI/Qwen3.6-35B-A3B-NVFP4") -> Deployment:
    return Deployment(model=model, shape=find_model(model).shape, vllm_version="0.20.0")


def test_the_makers_of_the_tool_leave_delta_layers_in_16_bits():
    assert weights_per_gpu(deployment()).in_gib == pytest.approx(21.86, abs=0.01)  # as printed with 0.20


@pytest.mark.parametrize(
    ("model", "facts", "gib"),
    [
        (
            "RedHatAI/Qwen3.5-397B-A17B-FP8-dynamic",
            {"vllm_version": "0.18.0", "tensor_parallel": 4, "language_model_only": True},
            94.87,
        ),
        (
            "RedHatAI/Qwen3.5-122B-A10B-FP8-dynamic",
            {"vllm_version": "0.18.0", "tensor_parallel": 2, "language_model_only": True},
            59.44,
        ),
        ("RedHatAI/Qwen3.5-35B-A3B-FP8-dynamic", {"vllm_version": "0.18.0", "language_model_only": True}, 34.43),
        ("Qwen/Qwen3.5-35B-A3B-FP8", {"vllm_version": "0.18.1"}, 34.22),
        ("Qwen/Qwen3.5-122B-A10B-GPTQ-Int4", {"vllm_version": "0.20.2"}, 68.36),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-FP8", {"vllm_version": "0.13.0"}, 30.5211),
        ("nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", {"vllm_version": "0.18.0", "tensor_parallel": 2}, 59.91),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", {"vllm_version": "0.13.0", "tensor_parallel": 2}, 9.8291),
        ("nvidia/NVIDIA-Nemotron-3-Nano-4B-FP8", {"vllm_version": "0.13.0"}, 4.9054),
        ("RedHatAI/Llama-4-Maverick-17B-128E-Instruct-FP8", {"vllm_version": "0.11.2", "tensor_parallel": 8}, 48.8685),
    ],
)
def test_recipes_give_what_start_up_logs_printed(model: str, facts: dict, gib: float):
    assert gib == pytest.approx(weights_per_gpu(deployment(model).with_(**facts)).in_gib, abs=0.045)


def test_a_copy_under_the_same_name_follows_the_maker_of_the_row():
    ours, theirs = "Qwen/Qwen3.5-35B-A3B-FP8", "mirror/Qwen3.5-35B-A3B-FP8"

    assert weights_per_gpu(deployment(ours)) == weights_per_gpu(deployment(theirs))


def test_who_made_a_checkpoint_is_read_from_the_name_that_was_given():
    shape = find_model("Qwen/Qwen3.6-35B-A3B").shape
    by_name = Quantization(method="fp8", bits=8, is_known=False)

    assert ("re:.*linear_attn.*",) == as_made(by_name, shape, "RedHatAI/Qwen3.6-35B-A3B-FP8-dynamic").excluded
    assert as_made(by_name, shape, "Qwen3.6-35B-A3B-FP8-dynamic") == by_name


def test_llm_compressor_leaves_attention_of_llama_4_in_16_bits():
    shape = find_model("meta-llama/Llama-4-Maverick-17B-128E-Instruct").shape
    by_name = Quantization(method="compressed-tensors", bits=4, is_known=False)

    assert ("re:.*self_attn.*",) == as_made(by_name, shape, "nm-testing/Llama-4-Maverick-W4A16").excluded


def test_latent_experts_alone_are_packed_in_4_bits():
    found = deployment("nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-NVFP4")
    mixed = dict(as_made(found.shape.quantization, found.shape, found.model).mixed)

    assert mixed == {"mlp.experts": "NVFP4", "mlp.shared_experts": "FP8", "linear_attn": "FP8"}


def test_latent_projections_stay_in_16_bits():
    found = deployment("nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8")

    assert "re:.*latent_proj" in as_made(found.shape.quantization, found.shape, found.model).excluded


def test_a_16_bit_nemotron_has_no_recipe():
    found = deployment("nvidia/NVIDIA-Nemotron-3-Nano-4B-BF16")
    four_bits = Quantization(method="awq", bits=4)

    assert as_made(four_bits, found.shape) == four_bits


def test_others_are_taken_to_pack_them():
    found = deployment("unsloth/Qwen3.8-27B-NVFP4")

    assert found.shape is not None
    assert found.shape.quantization == as_made(found.shape.quantization, found.shape, found.model)


@pytest.mark.parametrize("bits", [4, 8])
def test_a_list_that_nobody_knows_is_a_doubt(bits: int):
    shape = find_model("Qwen/Qwen3.6-35B-A3B").shape

    assert leaves_room(Quantization(method="compressed-tensors", bits=bits, is_known=False), shape)


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
        ("Qwen/Qwen3.6-35B-A3B", {"method": "gguf", "bits": 4, "is_known": False}),
        ("Qwen/Qwen3.6-35B-A3B", {"method": "modelopt", "bits": 4, "is_known": False, "excluded": ("lm_head",)}),
    ],
)
def test_a_list_that_is_known_or_has_nothing_to_leave_out_is_no_doubt(model: str, facts: dict):
    shape = find_model(model).shape

    assert shape is not None
    assert not leaves_room(Quantization(**facts), shape)


@pytest.mark.parametrize(
    ("model", "version", "gib"),
    [
        ("cyankiwi/Qwen3-Next-80B-A3B-Instruct-AWQ-4bit", "0.13.0", 22.53),
        ("cpatonn/Qwen3-Next-80B-A3B-Instruct-AWQ-4bit", "0.13.0", 22.53),
        ("cyankiwi/Qwen3.5-122B-A10B-AWQ-4bit", "0.16.1", 36.73),
    ],
)
def test_who_packs_experts_alone_comes_near_logs_of_checkpoints_packed_so(model: str, version: str, gib: float):
    """The logs do not say who made the checkpoint: the recipe is told elsewhere, so they only come near."""
    found = deployment(model).with_(vllm_version=version, tensor_parallel=2)

    assert gib == pytest.approx(weights_per_gpu(found).in_gib, abs=0.1)


def test_eight_bits_of_who_packs_experts_in_4_have_no_recipe():
    shape = find_model("cyankiwi/Qwen3.5-122B-A10B-AWQ-4bit").shape
    eight_bits = Quantization(method="compressed-tensors", bits=8, is_known=False)

    assert as_made(eight_bits, shape, "cyankiwi/Qwen3.5-122B-A10B-AWQ-8bit") == eight_bits
