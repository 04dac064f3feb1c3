import pytest

from bot.deployment import Deployment, Quantization
from bot.sizing.size import size

NVFP4 = Quantization(method="modelopt", bits=4.0, group_size=16, algorithm="NVFP4", is_known=False)


@pytest.fixture
def sized(llama_8b, h100):
    def size_it(quantization=NVFP4, version="0.15.1", **facts):
        shape = llama_8b.model_copy(update={"quantization": quantization})
        return size(Deployment(shape=shape, card=h100, vllm_version=version, **facts))

    return size_it


def test_a_checkpoint_that_may_ask_for_fp8_may_hold_twice_the_tokens(sized):
    budget = sized()

    assert budget.kv_tokens_high > 1.99 * budget.kv_tokens  # 47,102 bytes a token behind one log, 94,211 unquantized
    assert any("kv_cache_quant_algo" in warning for warning in budget.warnings)


@pytest.mark.parametrize(
    "told",
    [
        {"kv_cache_dtype": "fp8"},
        {"version": "0.13.0"},
        {"quantization": NVFP4.model_copy(update={"is_known": True})},
        {"quantization": NVFP4.model_copy(update={"kv_cache": "fp8"})},
        {"quantization": None},
    ],
)
def test_what_is_told_leaves_no_doubt(sized, told):
    budget = sized(**told)

    assert budget.kv_tokens_high < 1.1 * budget.kv_tokens
    assert not any("kv_cache_quant_algo" in warning for warning in budget.warnings)
