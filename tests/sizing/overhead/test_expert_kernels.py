"""Which kernel multiplies the experts."""

import pytest

from bot.deployment import Deployment, Gpu
from bot.model_shape import Quantization
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.expert_kernels import Kernel, kernel_of, outlives_layer, runs_marlin
from bot.sizing.resolved import resolve

CARDS = {
    "3090": Gpu(name="RTX 3090", compute_capability=8.6),
    "H100": Gpu(name="H100", compute_capability=9.0),
    "B200": Gpu(name="B200", compute_capability=10.0),
    "5090": Gpu(name="RTX 5090", compute_capability=12.0),
}

AWQ = Quantization(method="awq", bits=4, group_size=128)
BLOCKS = Quantization(method="fp8", bits=8, block=(128, 128))
ROWS = Quantization(method="compressed-tensors", bits=8, algorithm="FP8")
NVFP4 = Quantization(method="modelopt", bits=4, algorithm="NVFP4")
SCALED = Quantization(method="modelopt", bits=8, algorithm="FP8")


def run(shape, card="H100", quantization=None, **facts):
    shape = shape.model_copy(update={"quantization": quantization})
    facts = {"vllm_version": "0.19.0", "max_num_batched_tokens": 1000} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=CARDS[card], **facts))[0])


@pytest.mark.parametrize(
    ("version", "card", "facts", "kernel"),
    [
        ("0.10.2", "H100", {}, Kernel.TRITON),
        ("0.11.0", "H100", {"tensor_parallel": 8}, Kernel.TRITON),  # 256 columns an expert
        ("0.11.0", "B200", {"tensor_parallel": 8}, Kernel.DEEP_GEMM),
        ("0.11.2", "H100", {"tensor_parallel": 8}, Kernel.DEEP_GEMM),
        ("0.13.0", "H100", {"tensor_parallel": 8}, Kernel.TRITON),
        ("0.13.0", "H100", {"tensor_parallel": 4}, Kernel.DEEP_GEMM),
        ("0.16.0", "H100", {}, Kernel.FLASHINFER),
        ("0.17.0", "H100", {}, Kernel.TRITON),
        ("0.17.0", "H100", {"expert_parallel": True}, Kernel.FLASHINFER),
        ("0.17.0", "5090", {}, Kernel.TRITON),
    ],
)
def test_experts_with_a_scale_for_each_block_changed_kernels_often(deepseek_v3, version, card, facts, kernel):
    assert kernel is kernel_of(run(deepseek_v3, card, BLOCKS, vllm_version=version, **facts))


@pytest.mark.parametrize(("flag", "kernel"), [("0", Kernel.TRITON), ("1", Kernel.DEEP_GEMM)])
def test_the_environment_decides_on_deep_gemm(deepseek_v3, flag, kernel):
    wanted = (("VLLM_USE_DEEP_GEMM", flag),)

    assert kernel is kernel_of(run(deepseek_v3, "H100", BLOCKS, vllm_version="0.13.0", environment=wanted))


@pytest.mark.parametrize(
    ("stored", "version", "card", "kernel"),
    [
        (ROWS, "0.11.2", "H100", Kernel.CUTLASS),
        (ROWS, "0.11.2", "5090", Kernel.TRITON),
        (Quantization(method="fp8", bits=8), "0.11.2", "H100", Kernel.TRITON),
        (Quantization(method="fp8", bits=8, is_known=False), "0.11.2", "H100", Kernel.CUTLASS),
        (SCALED, "0.14.1", "H100", Kernel.TRITON),
        (SCALED, "0.15.0", "H100", Kernel.FLASHINFER),
        (NVFP4, "0.15.0", "B200", Kernel.CUTLASS),
        (NVFP4, "0.16.0", "B200", Kernel.FLASHINFER),
        (None, "0.19.0", "H100", Kernel.TRITON),
        (None, "0.20.0", "H100", Kernel.FLASHINFER),
        (None, "0.24.0", "H100", Kernel.TRITON),
        (None, "0.24.0", "B200", Kernel.FLASHINFER),
        (None, "0.24.0", "5090", Kernel.FLASHINFER),
        (None, "0.24.0", "3090", Kernel.TRITON),
        (NVFP4, "0.24.0", "5090", Kernel.FLASHINFER),
    ],
)
def test_the_kernel_follows_weights_version_and_card(deepseek_v3, stored, version, card, kernel):
    assert kernel is kernel_of(run(deepseek_v3, card, stored, vllm_version=version))


def test_replicas_leave_unquantized_experts_to_triton(deepseek_v3):
    assert Kernel.TRITON is kernel_of(run(deepseek_v3, "B200", None, vllm_version="0.24.0", data_parallel=2))


@pytest.mark.parametrize(
    ("kernel", "version", "stays"),
    [
        (Kernel.TRITON, "0.13.0", False),
        (Kernel.TRITON, "0.14.0", True),
        (Kernel.CUTLASS, "0.10.2", False),
        (Kernel.CUTLASS, "0.11.2", True),
        (Kernel.DEEP_GEMM, "0.11.2", True),
        (Kernel.FLASHINFER, "0.18.0", False),
    ],
)
def test_modular_kernels_keep_their_buffers(deepseek_v3, kernel, version, stays):
    assert stays is outlives_layer(run(deepseek_v3, vllm_version=version), kernel)


@pytest.mark.parametrize(("stored", "version", "stays"), [(AWQ, "0.19.0", False), (AWQ, "0.22.0", True)])
def test_marlin_of_4_bit_integers_keeps_them_from_0_22(deepseek_v3, stored, version, stays):
    assert stays is outlives_layer(run(deepseek_v3, quantization=stored, vllm_version=version), Kernel.MARLIN)


@pytest.mark.parametrize(
    ("method", "card", "expected"),
    [
        ("awq", "H100", True),
        ("fp8", "3090", True),
        ("fp8", "H100", False),
        ("nvfp4", "H100", True),
        ("nvfp4", "5090", False),
        ("mxfp4", "H100", False),
        ("mxfp4", "3090", True),
        ("mxfp4", "5090", True),
        ("mxfp4", "B200", False),
    ],
)
def test_marlin_unpacks_what_the_card_cannot_multiply(deepseek_v3, method, card, expected):
    assert expected is runs_marlin(run(deepseek_v3, card, Quantization(method=method)))
