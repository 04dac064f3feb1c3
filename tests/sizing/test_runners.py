"""Which model runner a version starts."""

import pytest

from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Quantization, Wiring
from bot.sizing.defaults import with_defaults
from bot.sizing.resolved import resolve
from bot.sizing.runners import uses_runner_v2


def starts_v2(shape, version, **facts):
    return uses_runner_v2(resolve(with_defaults(Deployment(shape=shape, vllm_version=version, **facts))[0]))


def named(shape, architecture, **changes):
    return shape.model_copy(update={"architecture": architecture} | changes)


@pytest.mark.parametrize(
    ("version", "expected"), [("0.20.0", False), ("0.24.0", False), ("0.25.0", True), ("0.29.0", True)]
)
def test_a_dense_model_moves_over_with_0_25(llama_8b, version, expected):
    assert expected is starts_v2(named(llama_8b, "Qwen2ForCausalLM"), version)


@pytest.mark.parametrize(
    ("architecture", "version", "expected"),
    [
        ("Qwen3ForCausalLM", "0.22.0", True),
        ("LlamaForCausalLM", "0.22.0", False),
        ("LlamaForCausalLM", "0.23.0", True),
        ("MistralForCausalLM", "0.23.0", True),
    ],
)
def test_a_listed_architecture_moves_over_first(llama_8b, architecture, version, expected):
    assert expected is starts_v2(named(llama_8b, architecture), version)


@pytest.mark.parametrize(("version", "expected"), [("0.23.0", False), ("0.24.0", True)])
def test_quantized_weights_move_over_with_0_24(llama_8b, version, expected):
    stored = named(llama_8b, "Qwen3ForCausalLM", quantization=Quantization(method="awq", bits=4))

    assert expected is starts_v2(stored, version)


@pytest.mark.parametrize(("version", "expected"), [("0.27.1", False), ("0.29.0", True)])
def test_experts_move_over_with_0_29(deepseek_v3, version, expected):
    assert expected is starts_v2(deepseek_v3, version)


def test_experts_of_a_listed_architecture_move_over_earlier(deepseek_v3):
    assert starts_v2(named(deepseek_v3, "DeepseekV2ForCausalLM"), "0.24.0")


@pytest.mark.parametrize(("version", "expected"), [("0.28.0", False), ("0.29.0", True)])
def test_models_that_embed_move_over_with_0_29(llama_8b, version, expected):
    """vLLM 0.28 `config/vllm.py`, _is_default_v2_model_runner_model."""
    embedding = llama_8b.model_copy(update={"wiring": Wiring(has_lm_head=False)})

    assert expected is starts_v2(embedding, version)


@pytest.mark.parametrize(
    ("method", "last", "first"),
    [
        ("draft_model", "0.30.0", "0.31.0"),
        ("ngram", "0.31.0", "0.32.0"),
        ("medusa", "0.32.0", "0.33.0"),
        ("mlp_speculator", "0.32.0", "0.33.0"),
    ],
)
def test_speculation_that_it_lacks_keeps_the_older_runner(llama_8b, method, last, first):
    """vLLM 0.30 to 0.33 `config/vllm.py`, _get_v2_model_runner_unsupported_features."""
    speculation = Speculation(method=method, tokens=3)

    assert (False, True) == tuple(starts_v2(llama_8b, version, speculation=speculation) for version in (last, first))


def test_speculation_that_it_has_moves_over_with_the_model(llama_8b):
    assert starts_v2(llama_8b, "0.27.1", speculation=Speculation(method="eagle3", tokens=3))


@pytest.mark.parametrize(("version", "expected"), [("0.31.0", False), ("0.32.0", True)])
def test_an_amd_card_keeps_the_older_runner_for_sparse_models_up_to_0_31(deepseek_v3, version, expected):
    """vLLM 0.31 `config/vllm.py`, ROCM_DEFAULT_MRV1_ARCHITECTURES."""
    listed = named(deepseek_v3, "DeepseekV32ForCausalLM")

    assert expected is starts_v2(listed, version, card=Gpu(name="MI300X", vendor="amd"))


def test_the_environment_decides_before_the_model(llama_8b):
    old, new = ((("VLLM_USE_V2_MODEL_RUNNER", flag),) for flag in "01")

    assert (False, True) == (
        starts_v2(llama_8b, "0.29.0", environment=old),
        starts_v2(llama_8b, "0.24.0", environment=new),
    )
