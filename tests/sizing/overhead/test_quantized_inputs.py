"""Layers that multiply 8-bit inputs."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import Quantization
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.quantized_inputs import quantized_inputs
from bot.sizing.resolved import resolve
from bot.sizing.size import size

W8A8 = Quantization(method="compressed-tensors", bits=8, algorithm="int-quantized")
FP8 = Quantization(method="fp8", bits=8)
W8A16 = Quantization(method="gptq", bits=8, group_size=128)


@pytest.mark.parametrize(
    ("stored", "card", "are_there"),
    [
        (W8A8, "A100 80GB", True),
        (FP8, "A100 80GB", False),
        (FP8, "H100", True),
        (W8A16, "H100", False),
        (None, "H100", False),
    ],
)
def test_inputs_are_packed_where_card_and_checkpoint_multiply_8_bits(llama_8b, stored, card, are_there):
    told = Deployment(shape=llama_8b, card=find_gpu(card).card, vllm_version="0.19.0", max_num_batched_tokens=1000)
    run = resolve(with_defaults(told)[0])
    run = run._replace(shape=run.shape.model_copy(update={"quantization": stored}))

    assert 1000 * 14_336 * are_there == quantized_inputs(run)


def test_each_gpu_has_the_inputs_of_its_own_columns(llama_8b):
    told = Deployment(shape=llama_8b, vllm_version="0.19.0", max_num_batched_tokens=1000, tensor_parallel=4)
    run = resolve(with_defaults(told)[0])
    run = run._replace(shape=run.shape.model_copy(update={"quantization": W8A8}))

    assert 1000 * 14_336 / 4 == quantized_inputs(run)


def test_the_peak_of_a_layer_may_hold_its_inputs_twice():
    told = Deployment(
        shape=find_model("RedHatAI/Mistral-Small-3.1-24B-Instruct-2503-quantized.w8a8").shape, card=find_gpu("H100").card,
        vllm_version="0.19.0", max_model_len=8192, max_num_seqs=1024, max_num_batched_tokens=8192,
    )  # fmt: skip
    found = size(told).term("activations")

    assert found.low.in_gib < 2.03
    assert found.high.in_gib > 2.18  # as a log prints it
