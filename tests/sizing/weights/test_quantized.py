import pytest

from bot.model_shape import Quantization
from bot.sizing.weights.quantized import Scheme, stored
from bot.sizing.weights.schemes import base_scheme
from bot.sizing.weights.tensors import Matrix


def a_matrix(outputs=4096, inputs=4096, experts=0):
    return Matrix(("mlp.up_proj",), outputs, inputs, experts)


def bits(scheme, **sizes):
    matrix = a_matrix(**sizes)
    return 8 * sum(stored(matrix, scheme)) / matrix.elements


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (Scheme("fp8_block", 8, block=(128, 128)), 8.002),
        (Scheme("int", 4, 128), 4.125),
        (Scheme("int", 4, 128, zero_points=True), 4.156),
        (Scheme("int", 4, 64, zero_points=True), 4.3125),
        (Scheme("int", 4, 32, zero_points=True), 4.625),
        (Scheme("int", 8, 128), 8.125),
        (Scheme("nvfp4", 4), 4.5),
        (Scheme("mxfp4", 4), 4.25),
        (Scheme("mxfp8", 8), 8.25),
        (Scheme("bnb", 4), 4.5),
        (Scheme("bnb", 4, nested=True), 4.127),
        (Scheme("flat", 4.85), 4.85),
    ],
)
def test_scales_and_zero_points_come_on_top_of_the_weights(scheme, expected):
    assert bits(scheme) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(("release", "expected"), [((0, 26), 4.1406), ((0, 27), 4.1562)])
def test_experts_of_gptq_keep_the_places_of_zero_points_that_are_all_alike(release, expected):
    scheme = base_scheme(Quantization(method="gptq", bits=4, group_size=128), release)

    assert 4.125 == pytest.approx(bits(scheme), abs=6e-4)
    assert expected == pytest.approx(bits(scheme, experts=4), abs=6e-4)


def test_an_8_bit_matrix_has_one_scale_for_each_output():
    assert stored(a_matrix(), Scheme("fp8", 8)) == (4096 * 4096, 4 * 4096)


def test_nvfp4_scales_fill_whole_tiles():
    assert stored(a_matrix(outputs=100, inputs=80), Scheme("nvfp4", 4)) == (4000, 128 * 8, 4)


def test_reordered_rows_need_an_index():
    assert stored(a_matrix(), Scheme("int", 4, 128, act_order=True))[-1] == 4 * 4096


def test_every_expert_has_its_own_scales():
    assert stored(a_matrix(experts=8), Scheme("fp8", 8)) == (8 * 4096 * 4096, 8 * 4 * 4096)
    assert stored(a_matrix(experts=8), Scheme("fp8_tensor", 8)) == (8 * 4096 * 4096, 8 * 4)
