"""Which engine starts."""

import pytest
from packaging.version import Version

from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Layer, LayerKind, LayerRun, Quantization, Wiring
from bot.sizing.engines import default_engine
from bot.sizing.eras import release_of

MI300X = Gpu(name="MI300X", vendor="amd", compute_capability=9.4)
B200 = Gpu(name="B200", compute_capability=10.0)


def starts(version, **facts):
    return default_engine(Deployment(**facts), release_of(Version(version)))[0]


def falls_back_until(last, first, **facts):
    """Whether `facts` start V0 in the one release and V1 in the other."""
    return (starts(last, **facts), starts(first, **facts)) == ("V0", "V1")


@pytest.mark.parametrize(("version", "engine"), [("0.7.3", "V0"), ("0.8.0", "V1"), ("0.10.2", "V1"), ("0.33.0", "V1")])
def test_v1_is_the_default_from_0_8_on(llama_8b, h100, version, engine):
    assert engine == starts(version, shape=llama_8b, card=h100)


def test_the_environment_decides_before_what_v1_lacks(t4):
    chosen = (("VLLM_USE_V1", "1"),)

    assert ("V1", "VLLM_USE_V1") == default_engine(Deployment(card=t4, environment=chosen), (0, 8, 5))


def test_an_old_card_starts_v0_up_to_0_10_1(llama_8b, t4):
    """vLLM 0.10.1.1 `engine/arg_utils.py`: "Compute Capability < 8.0"; gone with 0.10.2."""
    assert falls_back_until("0.10.1.1", "0.10.2", shape=llama_8b, card=t4)


def test_an_amd_card_starts_v0_up_to_0_9_1(llama_8b):
    """vLLM 0.9.1 `engine/arg_utils.py`, v0_hardware; 0.9.2 asks the platform, which says V1."""
    assert falls_back_until("0.9.1", "0.9.2", shape=llama_8b, card=MI300X)


def test_state_layers_start_v0_up_to_0_10_1(qwen3_next, h100):
    """vLLM 0.10.1.1 `engine/arg_utils.py`: "Mamba" is experimental."""
    assert falls_back_until("0.10.1.1", "0.10.2", shape=qwen3_next, card=h100)


def test_cross_attention_starts_v0_as_long_as_there_is_one(llama_8b, h100):
    """vLLM 0.10.2 `models/mllama.py`, SupportsV0Only."""
    crossed = llama_8b.model_copy(update={"runs": (LayerRun(layer=Layer(kind=LayerKind.CROSS), count=8),)})

    assert falls_back_until("0.10.2", "0.11.0", shape=crossed, card=h100)


@pytest.mark.parametrize(("kind", "last", "first"), [("full", "0.9.1", "0.9.2"), ("encoder", "0.10.0", "0.10.1")])
def test_models_that_embed_start_v0_and_encoders_longest(llama_8b, h100, kind, last, first):
    """vLLM 0.9.1 `engine/arg_utils.py`: "--task"; 0.10.0 `models/bert.py`, SupportsV0Only."""
    runs = (LayerRun(layer=Layer(kind=LayerKind(kind)), count=32),)
    shape = llama_8b.model_copy(update={"wiring": Wiring(has_lm_head=False), "runs": runs})

    assert falls_back_until(last, first, shape=shape, card=h100)


@pytest.mark.parametrize(("method", "last", "first"), [("gguf", "0.8.5", "0.9.0"), ("bitsandbytes", "0.8.2", "0.8.3")])
def test_some_weights_start_v0(llama_8b, h100, method, last, first):
    """vLLM 0.8.2 and 0.8.5 `engine/arg_utils.py`, V1_UNSUPPORTED_QUANT."""
    stored = llama_8b.model_copy(update={"quantization": Quantization(method=method)})

    assert falls_back_until(last, first, shape=stored, card=h100)
    assert falls_back_until(last, first, shape=llama_8b, card=h100, quantization=method)


@pytest.mark.parametrize(
    ("last", "first", "facts"),
    [
        ("0.9.1", "0.9.2", {"dtype": "float32"}),
        ("0.8.2", "0.8.3", {"lora": True}),
        ("0.8.2", "0.8.3", {"cpu_offload_gib": 8.0}),
        ("0.9.0", "0.9.1", {"pipeline_parallel": 2}),
        ("0.8.2", "0.8.3", {"pipeline_parallel": 2, "other_arguments": ("--distributed-executor-backend", "ray")}),
        ("0.8.5", "0.9.0", {"pipeline_parallel": 2, "other_arguments": ("--distributed-executor-backend=mp",)}),
        ("0.8.5", "0.9.0", {"speculation": Speculation(method="eagle", tokens=3)}),
        ("0.9.2", "0.10.0", {"speculation": Speculation(method="draft_model", tokens=3)}),
        ("0.8.4", "0.8.5", {"attention_backend": "FLASHINFER"}),
        ("0.10.2", "0.11.0", {"attention_backend": "XFORMERS"}),
        ("0.8.5", "0.9.0", {"load_format": "tensorizer"}),
        ("0.10.2", "0.11.0", {"load_format": "sharded_state"}),
        ("0.10.0", "0.10.1", {"other_arguments": ("--num-scheduler-steps", "8")}),
        ("0.10.2", "0.11.0", {"other_arguments": ("--preemption-mode=swap",)}),
        ("0.9.2", "0.10.0", {"other_arguments": ("--enable-prompt-adapter",)}),
    ],
)
def test_settings_that_v1_lacks_start_v0(llama_8b, h100, last, first, facts):
    """vLLM `engine/arg_utils.py`, _is_v1_supported_oracle, of both releases."""
    assert falls_back_until(last, first, shape=llama_8b, card=h100, **facts)


def test_an_fp8_cache_starts_v0_but_on_hopper(llama_8b, h100, l4):
    """vLLM 0.8.2 `engine/arg_utils.py`, flash_attn_supports_fp8."""
    cached = {"shape": llama_8b, "kv_cache_dtype": "fp8"}

    assert falls_back_until("0.8.1", "0.8.2", card=h100, **cached)
    assert falls_back_until("0.10.2", "0.11.0", card=l4, **cached)
    assert falls_back_until("0.9.2", "0.10.0", card=B200, **cached)


def test_another_kernel_stores_fp8_from_0_10_2_on(llama_8b, l4):
    """vLLM 0.10.2 `platforms/cuda.py`, is_kv_cache_dtype_supported."""
    cached = {"shape": llama_8b, "kv_cache_dtype": "fp8", "card": l4}

    assert falls_back_until("0.10.1", "0.10.2", attention_backend="FLASHINFER", **cached)
    assert falls_back_until("0.10.1", "0.10.2", attention_backend="TRITON_ATTN_VLLM_V1", **cached)


def test_what_starts_v0_is_said(t4):
    assert "cards before compute capability 8.0" in default_engine(Deployment(card=t4), (0, 9, 2))[1]
