"""Experts without a gate in steps of 128."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.sizing.weights.tensors import Matrix
from bot.sizing.weights.ungated_experts import in_steps, padded_schemes


@pytest.mark.parametrize(
    ("card", "release", "names"),
    [
        ("H200", (0, 18), {"fp8_tensor"}),
        ("H200", (0, 16), set()),
        ("B200", (0, 18), {"fp8_tensor", "nvfp4"}),
        ("B200", (0, 12), set()),
        ("RTX 5080", (0, 13), {"nvfp4"}),
        ("L40S", (0, 18), set()),
        ("MI300X", (0, 18), set()),
    ],
)
def test_card_and_release_decide_which_experts_are_padded(card: str, release: tuple[int, ...], names: set[str]):
    assert names == padded_schemes(find_gpu(card).card, release)


def test_without_a_card_the_kernels_are_taken_for_given():
    assert {"fp8_tensor", "nvfp4"} == padded_schemes(None, (0, 33))


def test_the_inner_width_is_rounded_up_on_both_matrices():
    up = Matrix(("mlp.experts.gate_up_proj",), 1344, 1024, 512)
    down = Matrix(("mlp.experts.down_proj",), 1024, 1344, 512)

    assert (1408, 1408) == (in_steps(up).outputs, in_steps(down).inputs)
    assert (1024, 1024) == (in_steps(up).inputs, in_steps(down).outputs)
