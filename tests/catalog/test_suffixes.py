import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.catalog.suffixes import GGUF_BITS, as_packed, from_flag, of_tag, strip


@pytest.mark.parametrize(
    ("name", "base", "method", "bits"),
    [
        ("Anvil-7B-Instruct-AWQ", "Anvil-7B-Instruct", "awq", 4),
        ("Anvil-7B-GPTQ-Int8", "Anvil-7B", "gptq", 8),
        ("Anvil-7B-GPTQ-Int4", "Anvil-7B", "gptq", 4),
        ("Anvil-7B-FP8-dynamic", "Anvil-7B", "fp8", 8),
        ("Anvil-7B-NVFP4", "Anvil-7B", "modelopt", 4),
        ("Anvil-7B-quantized.w4a16", "Anvil-7B", "compressed-tensors", 4),
        ("Anvil-7B-quantized.w8a8", "Anvil-7B", "compressed-tensors", 8),
        ("Anvil-7B-unsloth-bnb-4bit", "Anvil-7B", "bitsandbytes", 4),
        ("Anvil-7B-int4-AutoRound", "Anvil-7B", "auto-round", 4),
        ("Anvil-7B-MXFP4", "Anvil-7B", "mxfp4", 4),
    ],
)
def test_the_end_of_a_name_tells_the_weights(name, base, method, bits):
    found = strip(name)

    assert (base, method, bits) == (found.base, found.quantization.method, found.quantization.bits)


@pytest.mark.parametrize(
    "name", ["Qwen3-30B-A3B", "Llama-4-Scout-17B-16E-Instruct", "Mixtral-8x7B-v0.1", "Qwen2.5-7B-Instruct-1M"]
)
def test_parts_of_a_name_that_look_like_weights_stay(name):
    assert (name, None, False) == tuple(strip(name))


def test_what_a_name_alone_tells_is_marked_as_such():
    assert not strip("Anvil-7B-AWQ").quantization.is_known


def test_a_gguf_file_tells_its_mixture():
    assert "Q4_K_M" == strip("Anvil-7B-Q4_K_M").quantization.algorithm == of_tag("Q4_K_M").algorithm


def test_a_size_is_no_gguf_type():
    assert None is of_tag("8b-instruct")


def test_a_flag_value_is_read_like_a_suffix():
    assert ("bitsandbytes", 4) == (from_flag("bitsandbytes").method, from_flag("bitsandbytes").bits)


@given(st.text(max_size=60))
def test_any_name_can_be_stripped(name):
    assert name.startswith(strip(name).base)


def test_some_makers_call_groups_of_32_awq():
    told = strip("Anvil-7B-AWQ-4bit").quantization
    makers = (as_packed(maker, told).group_size for maker in ("cyankiwi", "acme", None))

    assert (32, 128, 128) == tuple(makers)


def test_eight_bits_of_nvidia_are_modelopts():
    told = strip("Anvil-7B-FP8").quantization
    makers = [as_packed(maker, told) for maker in ("NVIDIA", "acme", None)]

    assert [("modelopt", "FP8"), ("fp8", None), ("fp8", None)] == [(made.method, made.algorithm) for made in makers]


@pytest.mark.parametrize("name", ["Anvil-8B-BF16", "Anvil-8B-fp32", "Anvil-8B-qat-q4_0-unquantized"])
def test_an_ending_can_say_that_nothing_is_quantized(name):
    assert ("Anvil-8B", None, True) == tuple(strip(name))


def test_a_word_on_plain_weights_before_another_format_says_nothing():
    assert (4, False) == (strip("Anvil-8B-BF16-INT4").quantization.bits, strip("Anvil-8B-BF16-INT4").is_plain)


@pytest.mark.parametrize(
    ("tag", "bits"), [("Q4_K_M", 4.85), ("q8_0", 8.5), ("UD-Q4_K_XL", 5.0), ("BF16", 16.0), ("f16", 16.0)]
)
def test_a_type_behind_the_colon_has_its_bits(tag, bits):
    assert bits == GGUF_BITS[of_tag(tag).algorithm]


@pytest.mark.parametrize("tag", ["latest", "v0.9.1", "8b", "", None])
def test_other_tags_are_no_types(tag):
    assert None is of_tag(tag)
