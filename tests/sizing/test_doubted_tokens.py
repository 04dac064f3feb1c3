import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.model_shape import Quantization
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes

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


@pytest.fixture
def hybrid():
    """Four RTX 3090 with 0.24, whose log prints 15.72 GiB and 1,774,963 tokens."""
    deployment = Deployment(
        shape=find_model("Qwen/Qwen3.6-27B").shape,
        card=find_gpu("RTX 3090").card,
        vllm_version="0.24.0",
        tensor_parallel=4,
        max_model_len=262_144,
        kv_cache_dtype="fp8_e5m2",
        speculation=Speculation(method="mtp", tokens=3),
    )

    def tokens(**facts):
        budget = size(deployment.with_(**facts), Measured(kv_available=Bytes.gib(15.72)))
        return budget.kv_tokens_low, budget.kv_tokens_high

    return tokens


def test_where_nobody_told_of_prefix_caching_the_tokens_may_be_those_with_it(hybrid):
    low, high = hybrid()

    assert low <= 1_774_963
    assert high >= 1_805_218


@pytest.mark.parametrize("told", [{"prefix_caching": False}, {"mamba_cache_mode": "none"}, {"launcher": "serve"}])
def test_who_told_of_prefix_caching_gets_the_tokens_without_it(hybrid, told):
    low, _ = hybrid(**told)

    assert low > 1_774_963


def test_states_are_kept_twice_where_prefix_caching_is_told(hybrid):
    low, high = hybrid(prefix_caching=True)

    assert low <= 1_774_963 <= high < 1_790_000
