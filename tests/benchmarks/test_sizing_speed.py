"""What sizing costs: ratios between kinds of model, and cost against the size of a sweep.

Run with `pytest tests/benchmarks --benchmark-only`; without it each runs once, as a test that it works.
"""

from __future__ import annotations

import pytest

from bot.deployment import Deployment, Gpu, Layer, LayerKind, LayerRun, LinearState, Mla, ModelShape, Moe
from bot.sizing import limits
from bot.sizing.size import size
from bot.sizing.sweep import sweep
from bot.units import Bytes

pytestmark = pytest.mark.alone

H100 = Gpu(name="H100 SXM5 80GB", torch_memory=Bytes.gib(79.19), compute_capability=9.0, has_nvlink=True)
FULL, MLA = Layer(kind=LayerKind.FULL), Layer(kind=LayerKind.MLA, mlp="moe")
WINDOW = Layer(kind=LayerKind.SLIDING, window=1024)
DELTA = Layer(kind=LayerKind.GATED_DELTA, mlp="moe")
EXPERTS = Moe(experts=128, experts_per_token=8, intermediate=768)


def a_shape(*pairs: tuple[Layer, int], **parts) -> ModelShape:
    return ModelShape(
        name="made up",
        hidden=4096,
        vocab=151_936,
        intermediate=14_336,
        heads=32,
        kv_heads=8,
        head_dim=128,
        max_position=131_072,
        dtype="bfloat16",
        runs=tuple(LayerRun(layer=layer, count=count) for layer, count in pairs),
        **parts,
    )


SHAPES = {
    "dense": a_shape((FULL, 32)),
    "windowed": a_shape(*[(WINDOW, 5), (FULL, 1)] * 10),
    "latent": a_shape(
        (MLA, 61),
        moe=EXPERTS,
        mla=Mla(kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, q_lora_rank=1536),
    ),
    "hybrid": a_shape(
        *[(DELTA, 3), (FULL, 1)] * 12,
        moe=EXPERTS,
        linear=LinearState(key_heads=16, value_heads=32, key_head_dim=128, value_head_dim=128),
    ),
}


def a_deployment(kind: str = "dense", **facts) -> Deployment:
    return Deployment(shape=SHAPES[kind], card=H100, vllm_version="0.19.0", tensor_parallel=8, **facts)


@pytest.mark.benchmark(group="one budget, by kind of model")
@pytest.mark.parametrize("kind", SHAPES)
def test_one_budget(benchmark, kind):
    assert benchmark(size, a_deployment(kind)).kv_tokens >= 0


@pytest.mark.benchmark(group="one budget, by pipeline stages")
@pytest.mark.parametrize("stages", [1, 2, 4])
def test_one_budget_in_stages(benchmark, stages):
    assert benchmark(size, a_deployment("windowed", pipeline_parallel=stages)).kv_tokens >= 0


@pytest.mark.benchmark(group="a sweep, by its size")
@pytest.mark.parametrize("rows", [10, 100, 1000])
def test_a_sweep(benchmark, rows):
    lengths = {"max_model_len": list(range(1024, 1024 + rows))}

    assert len(benchmark(lambda: list(sweep(a_deployment(), lengths)))) == rows


@pytest.mark.benchmark(group="limits")
@pytest.mark.parametrize("limit", [limits.longest_context, limits.most_sequences, limits.lowest_utilization])
def test_a_limit(benchmark, limit):
    assert benchmark(limit, a_deployment(max_model_len=8192)) is not None
