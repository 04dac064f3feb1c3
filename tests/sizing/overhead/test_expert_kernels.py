"""What expert kernels hold for one batch."""

import pytest

from bot.deployment import Deployment, Gpu, Quantization
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead.expert_kernels import expanded_rows, expert_workspace, left_by_repacking, runs_marlin
from bot.sizing.resolved import resolve

CARDS = {
    "3090": Gpu(name="RTX 3090", compute_capability=8.6),
    "H100": Gpu(name="H100", compute_capability=9.0),
    "B200": Gpu(name="B200", compute_capability=10.0),
    "5090": Gpu(name="RTX 5090", compute_capability=12.0),
}


def run(shape, card="H100", quantization=None, **facts):
    shape = shape.model_copy(update={"quantization": quantization})
    facts = {"vllm_version": "0.19.0", "max_num_batched_tokens": 1000} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=CARDS[card], **facts))[0])


AWQ = Quantization(method="awq", bits=4, group_size=128)


def test_triton_holds_two_buffers(deepseek_v3):
    assert 1000 * 8 * 2 * (7168 + 7168) == expert_workspace(run(deepseek_v3))


def test_marlin_shares_one_buffer_for_both_products(deepseek_v3):
    assert 1000 * 8 * 2 * (7168 + 2048) == expert_workspace(run(deepseek_v3, quantization=AWQ))


def test_a_dense_model_has_none(llama_8b):
    assert 0 == expert_workspace(run(llama_8b))


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


@pytest.mark.parametrize(("card", "elements"), [("5090", 2 * 7168), ("H100", 0)])
def test_cutlass_may_lay_out_rows_once_more_before_and_after(deepseek_v3, card, elements):
    assert 1000 * 8 * 2 * elements == expanded_rows(run(deepseek_v3, card, Quantization(method="nvfp4")))
