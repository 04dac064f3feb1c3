"""Which of V1's two model runners a version starts: the older one or "model runner V2"."""

from __future__ import annotations

from collections.abc import Mapping

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
    "InklingForCausalLM": (0, 26),
    "InklingForConditionalGeneration": (0, 26),
    "LongcatFlashNgramForCausalLM": (0, 26),
    "KimiK3ForConditionalGeneration": (0, 27),
    "DeepseekV4ForCausalLM": (0, 28),
}
_OFFERED = (0, 12)  # from when the flag is heard
_FIRST = min(_NAMED.values())
_ANY_WEIGHTS, _ALL_DENSE, _ALL = (0, 24), (0, 25), (0, 29)
_KEPT_ON_AMD = frozenset({"DeepseekV32ForCausalLM", "DeepseekV4ForCausalLM", "GlmMoeDsaForCausalLM"})  # up to 0.31
# Speculation that it has no code for, from each release on; before 0.30 the few that it has are listed instead.
_WITHOUT: tuple[tuple[Release, frozenset[str]], ...] = (
    ((0, 33), frozenset({"suffix"})),
    ((0, 32), frozenset({"suffix", "medusa", "mlp_speculator"})),
    ((0, 31), frozenset({"ngram", "ngram_gpu", "suffix", "medusa", "mlp_speculator"})),
    ((0, 30), frozenset({"ngram", "ngram_gpu", "draft_model", "suffix", "medusa", "mlp_speculator"})),
)
_WITH = frozenset({"eagle", "eagle3", "mtp", "dflash", "dspark"})


def uses_runner_v2(run: Resolved) -> bool:
    """Return whether model runner V2 profiles and captures this deployment.

    By name from 0.22 on; every dense generator without state layers from 0.25; everything it supports from 0.29.

    Source: vLLM `config/vllm.py`, use_v2_model_runner, DEFAULT_V2_MODEL_RUNNER_ARCHITECTURES and
    _get_v2_model_runner_unsupported_features, of each release from 0.22 to 0.33.
    """
    if run.is_v0:
        return False
    decided = decides_runner_v2(run.release, run.environment)
    if decided is not None:
        return decided
    return (_by_default(run) if run.release < _ALL else not _is_kept(run)) and _can_speculate(run)


def decides_runner_v2(release: Release, environment: Mapping[str, str]) -> bool | None:
    """Return whether V1 starts model runner V2 whatever the model; None where the model decides."""
    flag = environment.get(FLAG)
    if release < _OFFERED or (flag is None and release < _FIRST):
        return False
    return None if flag is None else flag == "1"


def _by_default(run: Resolved) -> bool:
    shape = run.shape
    is_named = run.release >= _NAMED.get(shape.architecture or "", _ALL)
    if not shape.wiring.has_lm_head:
        return False
    if run.release >= _ALL_DENSE:
        has_states = any(layer.kind in LINEAR_KINDS for layer in shape.kinds)
        return is_named or (shape.moe is None and not has_states)
    is_plain = shape.moe is None and shape.quantization is None and not run.deployment.quantization
    return is_named and (is_plain or run.release >= _ANY_WEIGHTS)


def _is_kept(run: Resolved) -> bool:
    """Return whether ROCm stays with the older runner for the model."""
    is_amd = run.card is not None and run.card.vendor == "amd"
    return is_amd and run.release < (0, 32) and run.shape.architecture in _KEPT_ON_AMD


def _can_speculate(run: Resolved) -> bool:
    """Return whether it has code for the speculation that was asked for."""
    speculation = run.deployment.speculation
    if speculation is None:
        return True
    without = next((names for since, names in _WITHOUT if run.release >= since), None)
    return speculation.kind in _WITH if without is None else speculation.kind not in without
