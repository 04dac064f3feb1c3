import pytest

from bot.catalog.gpus import find_gpu
from bot.model_shape import Quantization
from bot.sizing.weights.schemes import base_scheme, by_algorithm, keeps_zero_points, scheme_of
from bot.sizing.weights.tensors import Matrix

EXPERTS = Matrix(("mlp.experts.down_proj",), 64, 64, 8)
OUTPUT = Matrix(("self_attn.o_proj",), 64, 64)
HEAD = Matrix(("lm_head",), 64, 64)


def scheme(matrix, layer=0, **facts):
    quantization = Quantization(**{"method": "fp8", "bits": 8, **facts})
    return scheme_of(quantization, base_scheme(quantization, (0, 33)), matrix, layer).name


def test_linear_layers_are_packed_and_the_output_matrix_is_not():
    assert ("fp8_tensor", "plain") == (scheme(OUTPUT), scheme(HEAD))


def test_a_gguf_file_packs_the_output_matrix_too():
    assert "flat" == scheme(HEAD, method="gguf", algorithm="Q4_K_M", bits=None)


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"method": "modelopt", "algorithm": "FP8"}, "fp8_tensor"),
        ({"method": "modelopt", "algorithm": "FP8", "is_known": False}, "fp8_tensor"),
        ({"method": "modelopt", "algorithm": "FP8_PER_CHANNEL_PER_TOKEN"}, "fp8"),
        ({"method": "compressed-tensors", "algorithm": "float-quantized"}, "fp8"),
        ({"is_known": False}, "fp8"),
    ],
)
def test_who_writes_8_bits_decides_how_they_are_scaled(facts: dict, name: str):
    assert name == scheme(OUTPUT, **facts)


def test_excluded_modules_stay_in_16_bits_on_their_layers():
    excluded = ("model.layers.{3}.self_attn*",)

    assert ("plain", "fp8_tensor") == (scheme(OUTPUT, 3, excluded=excluded), scheme(OUTPUT, 4, excluded=excluded))


def test_gpt_oss_packs_its_experts_only():
    facts = {"method": "mxfp4", "bits": 4, "excluded": ("model.layers.*.self_attn",)}

    assert ("mxfp4", "plain") == (scheme(EXPERTS, **facts), scheme(OUTPUT, **facts))


def test_a_mixed_checkpoint_names_each_algorithm():
    mixed = (
        ("model.layers.{0}.mlp.experts", "NVFP4"),
        ("model.layers.{0}.self_attn.o_proj", "FP8"),
        ("lm_head", "W4A16_NVFP4"),
    )

    assert ["nvfp4", "fp8_tensor", "nvfp4"] == [scheme(matrix, mixed=mixed) for matrix in (EXPERTS, OUTPUT, HEAD)]


def test_experts_may_be_narrower_than_the_rest():
    assert "flat" == scheme(EXPERTS, block=(128, 128), expert_bits=4.25)


@pytest.mark.parametrize(("release", "nested"), [((0, 7, 3), True), ((0, 9, 2), False)])
def test_bitsandbytes_stays_nested_in_memory_until_0_9_1(release, nested):
    assert base_scheme(Quantization(method="bitsandbytes", bits=4), release).nested is nested


def test_awq_has_zero_points_and_gptq_has_not():
    awq, gptq = (base_scheme(Quantization(method=name, bits=4), (0, 19)) for name in ("awq", "gptq"))

    assert (True, False) == (awq.zero_points, gptq.zero_points)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("W4A16_NVFP4", "nvfp4"),
        ("MXFP8", "mxfp8"),
        ("FP8_PB_WO", "fp8_block"),
        ("INT8", "fp8"),
        ("FP8_PER_CHANNEL_PER_TOKEN", "fp8"),
        ("W4A16", "int"),
    ],
)
def test_algorithms_are_known_by_their_names(name, expected):
    assert by_algorithm(name).name == expected


@pytest.mark.parametrize(
    ("method", "asked", "card", "release", "kept"),
    [
        ("gptq", "gptq", "GB10", (0, 11), True),
        ("gptq", "gptq_marlin", "GB10", (0, 11), False),
        ("gptq", None, "T4", (0, 13), True),
        ("gptq", None, "T4", (0, 14), False),
        ("gptq", None, "V100", (0, 14), True),
        ("gptq", None, "MI300X", (0, 14), True),
        ("gptq", "gptq", "T4", (0, 25), False),
        ("awq", "gptq", "T4", (0, 11), False),
    ],
)
def test_zero_points_stay_where_marlin_does_not_run(
    method: str, asked: str | None, card: str, release: tuple[int, ...], kept: bool
):
    assert kept == keeps_zero_points(Quantization(method=method), asked, find_gpu(card).card, release)
