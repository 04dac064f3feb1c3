"""What expert kernels hold for one batch."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import Moe
from bot.sizing.overhead.expert_buffers import (
    expanded_rows,
    kept_buffers,
    left_by_repacking,
    optional_buffers,
    passing_buffers,
)
from bot.sizing.overhead.expert_kernels import width_of_expert
from bot.sizing.size import size
from bot.units import Bytes
from tests.sizing.overhead.test_expert_kernels import AWQ, BLOCKS, NVFP4, ROWS, run


def held(resolved) -> tuple[float, float]:
    return kept_buffers(resolved), passing_buffers(resolved)


def test_a_modular_kernel_keeps_two_buffers(deepseek_v3):
    assert (1000 * 8 * 2 * (7168 + 7168), 0) == held(run(deepseek_v3))


def test_a_function_shares_one_buffer_for_both_products_and_gives_it_back(deepseek_v3):
    assert (0, 1000 * 8 * 2 * (7168 + 2048)) == held(run(deepseek_v3, vllm_version="0.13.0"))


def test_before_0_8_each_product_had_its_own(deepseek_v3):
    assert (0, 1000 * 8 * 2 * (3 * 2048 + 7168)) == held(run(deepseek_v3, vllm_version="0.7.1"))


@pytest.mark.parametrize(
    ("version", "tokens"), [("0.11.2", 65_536), ("0.12.0", 16_384), ("0.17.1", 16_384), ("0.18.0", 100_000)]
)
def test_a_batch_came_in_chunks_before_0_18(deepseek_v3, version, tokens):
    """vLLM 0.11 and 0.12 `envs.py`, VLLM_FUSED_MOE_CHUNK_SIZE."""
    large, one = (
        sum(held(run(deepseek_v3, vllm_version=version, max_num_batched_tokens=batch))) for batch in (100_000, 1000)
    )

    assert tokens == 1000 * large / one


def test_marlin_shares_one_buffer_for_both_products(deepseek_v3):
    assert (1000 * 8 * 2 * (7168 + 2048), 0) == held(run(deepseek_v3, quantization=AWQ, vllm_version="0.22.0"))


def test_flashinfer_keeps_the_outputs_alone(deepseek_v3):
    assert 1000 * 2 * 7168 == kept_buffers(run(deepseek_v3, "B200", NVFP4))


@pytest.mark.parametrize("replicas", [2, 8])
def test_the_tokens_of_all_replicas_reach_the_experts(deepseek_v3, replicas):
    tokens = 1000 * replicas
    states, buffers = tokens * 2 * 7168, tokens * 8 * 2 * (7168 + 7168)

    assert (buffers, states) == held(run(deepseek_v3, data_parallel=replicas))


def test_replicas_cut_an_expert_into_columns_unless_they_share_experts(deepseek_v3):
    cut, shared = (width_of_expert(run(deepseek_v3, data_parallel=4, expert_parallel=each)) for each in (False, True))

    assert (2048 / 4, 2048) == (cut, shared)


def test_replicas_leave_as_little_as_a_log_says():
    """Qwen3-Coder-480B-FP8 on 8 H20 of 141 GB with 0.10.1 prints 48.66 GiB for the cache: 77.16 of 125.82 for all the rest."""
    shape = find_model("Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8").shape
    told = Deployment(
        shape=shape, gpu_memory=Bytes.gib(139.8), vllm_version="0.10.1", data_parallel=8, expert_parallel=True
    )
    budget = size(told)
    spent = [term for term in budget.terms if term.inside]

    assert sum(term.low for term in spent) < Bytes.gib(77.16) < sum(term.high for term in spent)


def test_a_dense_model_has_none(llama_8b):
    assert (0, 0) == held(run(llama_8b))


@pytest.mark.parametrize(
    ("version", "gib"), [("0.11.2", 1.51), ("0.13.0", 0.0)]
)  # DeepSeek-R1 on 8 H200: 7.28 and 5.77 GiB were left beside weights and KV cache, 4.85 of them sampled
def test_deep_gemm_rounds_up_the_rows_of_each_expert(deepseek_v3, version, gib):
    facts = {"vllm_version": version, "tensor_parallel": 8, "max_num_batched_tokens": 8192}

    assert kept_buffers(run(deepseek_v3, "H100", BLOCKS, **facts)) / 2**30 == pytest.approx(gib, abs=0.01)


def test_cutlass_keeps_its_buffers_where_the_plain_twin_gives_them_back(deepseek_v3):
    """Qwen3-235B on 4 H200 with 0.11.2: 1.01 GiB more were taken with FP8 weights than with 16 bits."""
    experts = Moe(experts=128, experts_per_token=8, intermediate=1536)
    shape = deepseek_v3.model_copy(update={"hidden": 4096, "moe": experts})
    facts = {"vllm_version": "0.11.2", "tensor_parallel": 4, "max_num_batched_tokens": 8192}
    stored, plain = (kept_buffers(run(shape, "H100", how, **facts)) / 2**30 for how in (ROWS, None))

    assert stored - plain == pytest.approx(1.01, abs=0.02)


def test_a_wheel_without_deep_gemm_saves_its_buffers(deepseek_v3):
    stored = run(deepseek_v3, "H100", BLOCKS, vllm_version="0.11.2")

    assert optional_buffers(stored) == kept_buffers(stored)
    assert 0 == optional_buffers(run(deepseek_v3, "H100", ROWS, vllm_version="0.11.2"))


@pytest.mark.parametrize(
    ("facts", "mib"),
    [
        ({"vllm_version": "0.28.0"}, 58 * 2 * 20),
        ({"vllm_version": "0.19.0"}, 0),
        ({"vllm_version": "0.28.0", "environment": (("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),)}, 0),
    ],
)
def test_repacked_experts_may_get_larger_blocks_from_0_22(deepseek_v3, facts, mib):
    assert mib << 20 == left_by_repacking(run(deepseek_v3, quantization=AWQ, **facts))


@pytest.mark.parametrize(("is_parallel", "layers"), [(True, 58), (False, 0)])
def test_experts_whose_halves_flashinfer_swaps_may_get_larger_blocks_too(deepseek_v3, is_parallel, layers):
    """On Hopper it runs where experts are dealt out whole, else Triton."""
    facts = {"vllm_version": "0.31.0", "tensor_parallel": 8, "expert_parallel": is_parallel}

    assert layers * 2 * 20 << 20 == left_by_repacking(run(deepseek_v3, "H100", BLOCKS, **facts))


@pytest.mark.parametrize(("card", "elements"), [("5090", 2 * 7168), ("H100", 0)])
def test_cutlass_may_lay_out_rows_once_more_before_and_after(deepseek_v3, card, elements):
    assert 1000 * 8 * 2 * elements == expanded_rows(run(deepseek_v3, card, NVFP4))
