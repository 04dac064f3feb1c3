"""Shapes and cards by hand, so that sizing is tested without the catalogue."""

from __future__ import annotations

import pytest

from bot.deployment import Deployment, Gpu
from bot.model_shape import Layer, LayerKind, LayerRun, LinearState, Mla, ModelShape, Moe, Wiring
from bot.units import Bytes


def runs(*pairs: tuple[Layer, int]) -> tuple[LayerRun, ...]:
    return tuple(LayerRun(layer=layer, count=count) for layer, count in pairs)


def sliding(window: int, **sizes: int) -> Layer:
    return Layer(kind=LayerKind.SLIDING, window=window, **sizes)


FULL = Layer(kind=LayerKind.FULL)


@pytest.fixture(scope="session")
def llama_8b() -> ModelShape:
    return ModelShape(
        name="Llama-3.1-8B",
        hidden=4096,
        vocab=128_256,
        intermediate=14_336,
        heads=32,
        kv_heads=8,
        head_dim=128,
        max_position=131_072,
        dtype="bfloat16",
        runs=runs((FULL, 32)),
    )


@pytest.fixture(scope="session")
def gemma_27b() -> ModelShape:
    return ModelShape(
        name="Gemma-3-27B",
        hidden=5376,
        vocab=262_208,
        intermediate=21_504,
        heads=32,
        kv_heads=16,
        head_dim=128,
        max_position=131_072,
        dtype="bfloat16",
        runs=runs(*[(sliding(1024), 5), (FULL, 1)] * 10, (sliding(1024), 2)),
    )


@pytest.fixture(scope="session")
def gpt_oss_20b() -> ModelShape:
    return ModelShape(
        name="gpt-oss-20b",
        model_type="gpt_oss",
        hidden=2880,
        vocab=201_088,
        intermediate=2880,
        heads=64,
        kv_heads=8,
        head_dim=64,
        max_position=131_072,
        dtype="bfloat16",
        moe=Moe(experts=32, experts_per_token=4, intermediate=2880),
        runs=runs(*[(sliding(128), 1), (FULL, 1)] * 12),
    )


@pytest.fixture(scope="session")
def llama_4_scout() -> ModelShape:
    chunked = Layer(kind=LayerKind.CHUNKED, window=8192)
    return ModelShape(
        name="Llama-4-Scout",
        hidden=5120,
        vocab=202_048,
        intermediate=16_384,
        heads=40,
        kv_heads=8,
        head_dim=128,
        max_position=10_485_760,
        dtype="bfloat16",
        moe=Moe(experts=16, experts_per_token=1, intermediate=8192, shared_experts=1),
        runs=runs(*[(chunked, 3), (FULL, 1)] * 12),
    )


@pytest.fixture(scope="session")
def encoder() -> ModelShape:
    return ModelShape(
        name="acme/reads-both-ways",
        model_type="xlm-roberta",
        hidden=1024,
        vocab=250_002,
        intermediate=4096,
        heads=16,
        kv_heads=16,
        head_dim=64,
        max_position=8192,
        wiring=Wiring(has_lm_head=False),
        gated_mlp=False,
        runs=runs((Layer(kind=LayerKind.ENCODER), 24)),
    )


@pytest.fixture(scope="session")
def speech() -> ModelShape:
    return ModelShape(
        name="acme/hears",
        model_type="whisper",
        hidden=1280,
        vocab=51_866,
        intermediate=5120,
        heads=20,
        kv_heads=20,
        head_dim=64,
        max_position=448,
        tied_embeddings=True,
        gated_mlp=False,
        runs=runs((Layer(kind=LayerKind.FULL, beside=LayerKind.CROSS), 32)),
    )


@pytest.fixture(scope="session")
def deepseek_v3() -> ModelShape:
    return ModelShape(
        name="DeepSeek-V3",
        hidden=7168,
        vocab=129_280,
        intermediate=18_432,
        heads=128,
        kv_heads=128,
        head_dim=192,
        max_position=163_840,
        dtype="bfloat16",
        mla=Mla(kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, q_lora_rank=1536),
        moe=Moe(experts=256, experts_per_token=8, intermediate=2048, shared_experts=1),
        runs=runs((Layer(kind=LayerKind.MLA), 3), (Layer(kind=LayerKind.MLA, mlp="moe"), 58)),
        mtp_layers=1,
    )


@pytest.fixture(scope="session")
def qwen3_next() -> ModelShape:
    return ModelShape(
        name="Qwen3-Next-80B-A3B",
        model_type="qwen3_next",
        hidden=2048,
        vocab=151_936,
        intermediate=5120,
        heads=16,
        kv_heads=2,
        head_dim=256,
        max_position=262_144,
        dtype="bfloat16",
        moe=Moe(experts=512, experts_per_token=10, intermediate=512, shared_experts=1),
        linear=LinearState(conv_kernel=4, key_heads=16, value_heads=32, key_head_dim=128, value_head_dim=128),
        runs=runs(
            *[(Layer(kind=LayerKind.GATED_DELTA, mlp="moe"), 3), (Layer(kind=LayerKind.FULL, mlp="moe"), 1)] * 12
        ),
        mtp_layers=1,
    )


@pytest.fixture(scope="session")
def h100() -> Gpu:
    return Gpu(
        name="H100 SXM5 80GB",
        memory=Bytes.mib(81_559),
        torch_memory=Bytes.gib(79.19),
        compute_capability=9.0,
        has_fp8=True,
        has_bf16=True,
        has_nvlink=True,
        bandwidth_gbs=3350,
        bf16_tflops=989,
    )


@pytest.fixture(scope="session")
def l4() -> Gpu:
    return Gpu(
        name="L4",
        memory=Bytes.mib(23_034),
        torch_memory=Bytes.gib(22.03),
        compute_capability=8.9,
        has_fp8=True,
        has_bf16=True,
        has_nvlink=False,
        bandwidth_gbs=300,
        bf16_tflops=121,
    )


@pytest.fixture(scope="session")
def t4() -> Gpu:
    return Gpu(
        name="Tesla T4",
        memory=Bytes.mib(15_360),
        torch_memory=Bytes.gib(14.58),
        compute_capability=7.5,
        has_fp8=False,
        has_bf16=False,
        has_nvlink=False,
        bandwidth_gbs=320,
        bf16_tflops=65,
    )


@pytest.fixture
def llama_on_h100(llama_8b: ModelShape, h100: Gpu) -> Deployment:
    return Deployment(
        model="meta-llama/Llama-3.1-8B",
        shape=llama_8b,
        card=h100,
        vllm_version="0.19.0",
        tensor_parallel=1,
        gpu_memory_utilization=0.95,
        max_model_len=8192,
        max_num_seqs=1024,
        max_num_batched_tokens=8192,
    )
