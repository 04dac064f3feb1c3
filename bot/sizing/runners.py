"""Which of V1's two model runners a version starts: the older one or "model runner V2"."""

from __future__ import annotations

from bot.sizing.eras import Release
from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.resolved import Resolved

FLAG = "VLLM_USE_V2_MODEL_RUNNER"
# Architectures that move over by name, and from when on; the first three without experts or quantization until 0.24.
_NAMED: dict[str, Release] = {
    "Qwen3ForCausalLM": (0, 22),
    "LlamaForCausalLM": (0, 23),
    "MistralForCausalLM": (0, 23),
    "DeepseekV2ForCausalLM": (0, 24),
    "Qwen2MoeForCausalLM": (0, 24),
    "GraniteMoeForCausalLM": (0, 24),
    "DeepseekV4ForCausalLM": (0, 28),
}
_ANY_WEIGHTS, _ALL_DENSE, _ALL = (0, 24), (0, 25), (0, 29)


def uses_runner_v2(run: Resolved) -> bool:
    """Return whether model runner V2 profiles and captures this deployment.

    By name from 0.22 on; every dense model without state layers from 0.25; everything it supports from 0.29.

    Source: vLLM `config/vllm.py`, use_v2_model_runner and DEFAULT_V2_MODEL_RUNNER_ARCHITECTURES, of 0.22 to 0.29.
    """
    flag = run.environment.get(FLAG)
    if run.is_v0 or run.release < (0, 12):
        return False
    if flag is not None:
        return flag == "1"
    return run.release >= _ALL or _by_default(run)


def _by_default(run: Resolved) -> bool:
    shape = run.shape
    is_named = run.release >= _NAMED.get(shape.architecture or "", _ALL)
    if run.release >= _ALL_DENSE:
        has_states = any(layers.layer.kind in LINEAR_KINDS for layers in shape.runs)
        return is_named or (shape.moe is None and not has_states)
    is_plain = shape.moe is None and shape.quantization is None and not run.deployment.quantization
    return is_named and (is_plain or run.release >= _ANY_WEIGHTS)
