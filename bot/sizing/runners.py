"""Which of V1's two model runners a version starts: the older one or "model runner V2"."""

from __future__ import annotations

from bot.sizing.kv_cache.states import LINEAR_KINDS
from bot.sizing.resolved import Resolved

FLAG = "VLLM_USE_V2_MODEL_RUNNER"
# Dense generators that 0.22 to 0.26 moved over by name; Qwen2 and Llama stayed with the older runner.
_FIRST = frozenset({"Qwen3ForCausalLM"})


def uses_runner_v2(run: Resolved) -> bool:
    """Return whether model runner V2 profiles and captures this deployment.

    By name from 0.22 on, dense models without quantization first; every dense model without state layers from
    0.27; everything it supports from 0.29.

    Source: vLLM `config/vllm.py`, use_v2_model_runner, of 0.22, 0.24, 0.27.1 and 0.29; logs of 0.24 (older runner
    for Qwen2) and 0.27.1 (V2 for Qwen2) agree.
    """
    flag = run.environment.get(FLAG)
    if run.is_v0 or run.release < (0, 12):
        return False
    if flag is not None:
        return flag == "1"
    if run.release >= (0, 29):
        return True
    return run.release >= (0, 22) and _by_default(run)


def _by_default(run: Resolved) -> bool:
    shape = run.shape
    if shape.moe is not None or any(layers.layer.kind in LINEAR_KINDS for layers in shape.runs):
        return False
    if run.release >= (0, 27):
        return True
    is_plain = shape.quantization is None and not run.deployment.quantization
    return shape.architecture in _FIRST and (is_plain or run.release >= (0, 24))
