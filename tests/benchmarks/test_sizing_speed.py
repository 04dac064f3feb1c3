"""What sizing costs: ratios between kinds of deployment, and cost against the size of a sweep.

Run with `pytest tests/benchmarks`; figures are printed at the end, and what is held are ratios of processor time within
one run, with room to spare.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Layer, LayerKind, LayerRun, LinearState, Mla, ModelShape, Moe
from bot.sizing import limits
from bot.sizing.size import size
from bot.sizing.sweep import sweep
from bot.units import Bytes

pytestmark = pytest.mark.alone

H100 = Gpu(name="H100 SXM5 80GB", torch_memory=Bytes.gib(79.19), compute_capability=9.0, has_nvlink=True)
L4 = Gpu(name="L4", torch_memory=Bytes.gib(22.03), compute_capability=8.9)
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
    return Deployment(**{"shape": SHAPES[kind], "card": H100, "vllm_version": "0.19.0", "tensor_parallel": 1, **facts})


WHOLE = {"card": L4, "chunked_prefill": False, "gpu_memory_utilization": 0.98}
"""Of a batch that must take a whole prompt, where not all of the context fits: its longest has to be looked for."""
KINDS: dict[str, tuple[Deployment, float]] = {
    "windowed": (a_deployment("windowed"), 3),
    "latent": (a_deployment("latent"), 2),
    "hybrid": (a_deployment("hybrid"), 4),
    "hybrid, in 4 stages": (a_deployment("hybrid", pipeline_parallel=4), 6),
    "dense, whole prompts": (a_deployment("dense", **WHOLE), 7),
    "dense, whole prompts of V0": (a_deployment("dense", **WHOLE, engine="V0", vllm_version="0.6.6"), 6),
    "hybrid, whole prompts in 4 stages": (a_deployment("hybrid", **WHOLE, pipeline_parallel=4), 8),
    "hybrid, a stage for each layer": (a_deployment("hybrid", pipeline_parallel=48), 7),
    "hybrid, whole prompts of V0, a stage for each layer": (
        a_deployment("hybrid", **WHOLE, engine="V0", vllm_version="0.8.5", pipeline_parallel=48),
        12,
    ),
    "hybrid, drafted by another": (
        a_deployment("hybrid", speculation=Speculation(method="draft_model", tokens=3, shape=SHAPES["hybrid"])),
        6,
    ),
}
"""Kinds of deployment, and the most that each may cost, in sizings of a dense model."""


def thirty(deployment: Deployment) -> Callable[[], object]:
    return lambda: [size(deployment) for _ in range(30)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_costs_many_times_a_dense_model(
    kind: str, seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    deployment, most = KINDS[kind]
    dense, taken = (seconds(thirty(each)) / 30 for each in (a_deployment(), deployment))

    show("one sizing: dense", f"{1000 * dense:.2f} ms")
    show(f"one sizing: {kind}", f"{1000 * taken:.2f} ms, {taken / dense:.1f} x dense")
    assert taken < most * dense


@pytest.mark.parametrize("kind", ["dense, whole prompts", "dense, whole prompts of V0"])
def test_the_longest_of_whole_prompts_is_looked_for(kind: str) -> None:
    """Else the ratios above say nothing."""
    deployment, _ = KINDS[kind]

    assert 0 < size(deployment).longest_context < 131_072


def a_sweep_of(rows: int) -> Callable[[], object]:
    lengths = {"max_model_len": list(range(1024, 1024 + rows))}
    return lambda: list(sweep(a_deployment(), lengths))


def test_a_sweep_costs_no_more_than_its_rows(seconds: Callable[..., float], show: Callable[[str, str], None]) -> None:
    costs = {rows: seconds(a_sweep_of(rows), rounds) for rows, rounds in ((100, 5), (1000, 3), (10_000, 1))}

    for rows, taken in costs.items():
        show(f"a sweep of {rows:>6,} deployments", f"{taken:.2f} s, {1e6 * taken / rows:.0f} µs each")
    assert costs[10_000] < 2 * 100 * costs[100]


def test_a_row_of_a_sweep_costs_no_more_than_a_sizing(
    seconds: Callable[..., float], show: Callable[[str, str], None]
) -> None:
    assert seconds(a_sweep_of(30)) < 1.5 * seconds(thirty(a_deployment()))


@pytest.mark.benchmark(group="limits")
@pytest.mark.parametrize("limit", [limits.longest_context, limits.most_sequences, limits.lowest_utilization])
def test_a_limit(benchmark, limit):
    assert benchmark(limit, a_deployment(max_model_len=8192)) is not None
