import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.weights.extras import deepstack_bytes, lora_bytes
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.tensors import Split

LLAMA = find_model("meta-llama/Llama-3.1-8B").shape


def test_a_slot_holds_two_factors_for_every_module():
    deployment = Deployment(lora=True, max_loras=1, max_lora_rank=16)
    qkv, output, up, down = 3 * 4096 + 6144, 4096 + 4096, 2 * 4096 + 28672, 14336 + 4096

    assert lora_bytes(deployment, LLAMA, Split(), 2) == 32 * 16 * 2 * (qkv + output + up + down)


def test_without_the_flag_there_are_no_slots():
    assert 0 == lora_bytes(Deployment(), LLAMA, Split(), 2)


def test_what_the_tower_hands_to_three_layers_has_a_buffer_each():
    shape = find_model("Qwen/Qwen3-VL-30B-A3B-Instruct").shape

    assert (3 * 8192 * 2048 * 2, 3 * 2048 * 2048 * 2) == (
        deepstack_bytes(shape, 8192, 2),
        deepstack_bytes(shape, None, 2),
    )


@pytest.mark.parametrize("model", ["Qwen/Qwen3-30B-A3B", "Qwen/Qwen2.5-VL-7B-Instruct", "Qwen/Qwen3.5-9B"])
def test_other_towers_hand_over_nothing_on_the_way(model: str):
    assert 0 == deepstack_bytes(find_model(model).shape, 8192, 2)


@pytest.mark.parametrize(
    ("model", "facts", "gib"),
    [
        ("Qwen/Qwen3-VL-30B-A3B-Instruct", {"vllm_version": "0.13.0", "max_num_batched_tokens": 8192}, 58.2299),
        (
            "Qwen/Qwen3-VL-30B-A3B-Instruct",
            {"vllm_version": "0.11.0", "max_num_batched_tokens": 2048, "tensor_parallel": 4},
            14.7708,
        ),
        ("Qwen/Qwen3-VL-2B-Instruct", {"vllm_version": "0.19.0", "max_num_batched_tokens": 2048}, 4.24),
    ],
)
def test_weights_of_qwen3_vl_are_what_start_up_logs_printed(model: str, facts: dict, gib: float):
    deployment = Deployment(shape=find_model(model).shape, **facts)

    assert gib == pytest.approx(weights_per_gpu(deployment).in_gib, abs=0.012)
