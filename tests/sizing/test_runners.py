"""Which model runner a version starts."""

import pytest

from bot.deployment import Deployment, Quantization
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


def test_the_environment_decides_before_the_model(llama_8b):
    old, new = ((("VLLM_USE_V2_MODEL_RUNNER", flag),) for flag in "01")

    assert (False, True) == (
        starts_v2(llama_8b, "0.29.0", environment=old),
        starts_v2(llama_8b, "0.24.0", environment=new),
    )
