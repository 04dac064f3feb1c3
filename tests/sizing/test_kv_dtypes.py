"""The KV cache's data type and the bytes of a token."""

import pytest

from bot.deployment import Quantization
from bot.sizing import kv_dtypes


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        ("auto", 512),
        ("fp8", 256),
        ("fp8_e5m2", 256),
        ("int8_per_token_head", 264),
        ("fp8_per_token_head", 264),
        ("int4_per_token_head", 136),
        ("nvfp4", 144),
        ("turboquant_k8v4", 196),
        ("turboquant_4bit_nc", 134),
        ("turboquant_3bit_nc", 102),
        ("bfloat16", 512),
    ],
)
def test_a_head_of_128_keeps_this_much_of_a_token(dtype, size):
    assert size == kv_dtypes.heads_bytes(dtype, 2, 128, 128)


@pytest.mark.parametrize(
    ("dtype", "size"),
    [("auto", 1152), ("fp8", 576), ("fp8_ds_mla", 656), ("nvfp4_ds_mla", 352), ("int4_per_token_head", 296)],
)
def test_a_latent_of_576_keeps_this_much_of_a_token(dtype, size):
    assert size == kv_dtypes.latent_bytes(dtype, 2, 576)


def test_an_index_key_has_a_scale_for_each_128_elements():
    assert kv_dtypes.index_bytes(128) == 132


def test_a_float32_model_keeps_four_bytes():
    assert kv_dtypes.heads_bytes("auto", kv_dtypes.width("float32"), 128, 128) == 1024


@pytest.mark.parametrize(("release", "dtype"), [((0, 13, 0), "auto"), ((0, 14, 0), "fp8")])
def test_auto_follows_a_checkpoint_that_asks_for_fp8_from_0_14_on(llama_8b, release, dtype):
    shape = llama_8b.model_copy(update={"quantization": Quantization(method="modelopt", kv_cache="FP8")})

    assert dtype == kv_dtypes.resolve("auto", shape, release)[0]


def test_what_was_asked_for_is_kept(llama_8b):
    assert kv_dtypes.resolve("fp8_e5m2", llama_8b, (0, 19, 0))[0] == "fp8_e5m2"
