import pytest

from bot.catalog.gpus import find_gpu
from bot.sizing.weights.mxfp4 import padded, padding_of
from bot.sizing.weights.tensors import Matrix

UP = Matrix(("mlp.experts.gate_up_proj",), 5760, 2880, 32, bias=5760)


@pytest.mark.parametrize(
    ("card", "release", "name"),
    [
        ("H100", (0, 19), "Triton"),
        ("H100", (0, 10, 1), "Marlin"),
        ("A100 80GB", (0, 19), "Marlin"),
        ("RTX 5090", (0, 19), "Marlin"),
        ("B200", (0, 19), "TRT-LLM"),
        ("MI300X", (0, 19), "Triton"),
    ],
)
def test_card_and_version_choose_the_kernel(card, release, name):
    assert padding_of(find_gpu(card).card, release).name == name


def test_marlin_pads_both_sides():
    values, scales, bias = padded(UP, padding_of(find_gpu("A100 80GB").card, (0, 19)))

    assert (values, scales, bias) == (32 * 5888 * 3072 // 2, 32 * 5888 * 3072 // 32, 32 * 5888 * 2)


def test_triton_pads_values_alone_and_keeps_wide_biases():
    values, scales, bias = padded(UP, padding_of(find_gpu("H100").card, (0, 19)))

    assert (values, scales, bias) == (32 * 6144 * 2880 // 2, 32 * 5760 * 2880 // 32, 32 * 5760 * 4)
