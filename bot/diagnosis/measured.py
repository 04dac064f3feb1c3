"""Which measured figures still hold after a deployment was changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.deployment import Deployment
from bot.evidence import Evidence
from bot.sizing.terms import Measured
from bot.units import Bytes

MOST_MEASURED = 1e12  # tokens of the largest KV caches stay below; infinity does not
LAYOUT = frozenset(
    {"model", "shape", "gpu", "card", "tensor_parallel", "pipeline_parallel", "expert_parallel", "vllm_version", "engine",
     "dtype", "quantization", "load_format", "cpu_offload_gib", "lora", "max_loras", "max_lora_rank", "speculation",
     "language_model_only", "encoder_tensor_parallel", "decode_context_parallel"}
)  # fmt: skip
"""What says which weights lie on a GPU, and what runs them: with another of these the figures of a log say nothing."""

_BATCH = frozenset(
    {"max_num_batched_tokens", "max_num_seqs", "chunked_prefill", "multimodal_limits", "skip_mm_profiling",
     "attention_backend"}
)  # fmt: skip
_GRAPHS = frozenset(
    {"enforce_eager", "cudagraph_mode", "max_cudagraph_capture_size", "cudagraph_capture_sizes", "compilation_mode",
     "optimization_level", "performance_mode", "max_num_seqs"}
)  # fmt: skip
_CAPTURED = _GRAPHS | {
    "lora",
    "speculation",
    "attention_backend",
    "decode_context_parallel",
    "vllm_version",
    "engine",
    "gpu",
    "card",
    "model",
}

# What changes each figure. A figure that is not here holds whatever is changed: total and free memory.
SPOILED_BY: Mapping[str, frozenset[str]] = {
    "weights": LAYOUT,
    "activation": LAYOUT | _BATCH,
    "non_torch": LAYOUT,
    "consumed": LAYOUT,
    "cudagraph": LAYOUT | _GRAPHS,
    "cudagraph_estimated": LAYOUT | _GRAPHS,
    **dict.fromkeys(("graphs_piecewise", "graphs_full", "graphs_largest", "graphs_decoding"), _CAPTURED),
    "kv_available": LAYOUT | _BATCH | _GRAPHS | {"kv_cache_memory"},
    "kv_tokens": LAYOUT | _BATCH | _GRAPHS | {"kv_cache_dtype", "gpu_memory_utilization", "block_size", "kv_cache_memory"},
    "gpu_blocks": LAYOUT | _BATCH | _GRAPHS | {"kv_cache_dtype", "gpu_memory_utilization", "block_size", "kv_cache_memory"},
    "kv_beyond": LAYOUT,
    "concurrency": LAYOUT | _BATCH | _GRAPHS
    | {"kv_cache_dtype", "gpu_memory_utilization", "block_size", "kv_cache_memory", "max_model_len"},
}  # fmt: skip
_WHOLE = frozenset({"kv_tokens", "gpu_blocks", "graphs_piecewise", "graphs_full", "graphs_largest", "graphs_decoding"})
_NEVER_NEGATIVE = _WHOLE | frozenset({"total", "free", "weights", "concurrency", "other_processes"})
"""Figures that are no difference of two; what is left, and what somebody took meanwhile, can be less than nothing."""

_ABOVE_ZERO = frozenset({"weights", "total"})


def measured_in(evidence: Evidence) -> Measured:
    """Return the figures that the paste printed, without those that no run has."""
    return possible(printed_in(evidence))


def printed_in(evidence: Evidence) -> Measured:
    """Return the figures that the paste printed, whatever they say."""
    values = {name: evidence.value(name) for name in Measured.model_fields if name in evidence.facts}
    return Measured(**values)


def possible(measured: Measured) -> Measured:
    """Return the figures that a run can have: no weights of nothing, no fewer tokens than none."""
    said = {name: value for name in Measured.model_fields if (value := getattr(measured, name)) is not None}
    return Measured(**{name: value for name, value in said.items() if _may_be(name, value)})


def _may_be(name: str, value: float) -> bool:
    return value > 0 if name in _ABOVE_ZERO else value >= 0 or name not in _NEVER_NEGATIVE


def still_measured(
    measured: Measured, stated: Deployment, before: Deployment, after: Deployment, total: Bytes | None = None
) -> Measured:
    """Return the figures that hold for `after`; KV memory moves with the allowance, byte for byte.

    Args:
        measured: What was printed.
        stated: The deployment as it was told.
        before: The same with vLLM's defaults filled in: to state a default is no change.
        after: The changed deployment.
        total: What the card has as far as we know, where no log printed it.
    """
    changed = changed_settings(stated, before, after)
    spoiled = {name for name, causes in SPOILED_BY.items() if causes & changed}
    kept: dict[str, Any] = {
        name: getattr(measured, name)
        for name in Measured.model_fields
        if name not in spoiled and getattr(measured, name) is not None
    }
    if "kv_available" in kept and "gpu_memory_utilization" in changed:
        kept["kv_available"] = _moved(measured.kv_available, measured.total or total, before, after)
    return Measured(**{name: value for name, value in kept.items() if value is not None})


def changed_settings(stated: Deployment, before: Deployment, after: Deployment) -> frozenset[str]:
    """Return the names of what `after` has otherwise than as it was told, and than with vLLM's defaults filled in."""
    return frozenset(
        name
        for name in Deployment.model_fields
        if getattr(after, name) not in (getattr(stated, name), getattr(before, name))
    )


def _moved(kv: Bytes | None, total: Bytes | None, before: Deployment, after: Deployment) -> Bytes | None:
    old, new = before.gpu_memory_utilization, after.gpu_memory_utilization
    return None if kv is None or total is None or old is None or new is None else kv + total * (new - old)


def is_figure(name: str, raw: Any) -> bool:
    """Return whether a number may stand for that figure of a log: finite, whole where it counts, and not less than none."""
    is_number = isinstance(raw, (int, float)) and not isinstance(raw, bool) and abs(raw) < MOST_MEASURED
    is_whole = is_number and (name not in _WHOLE or raw == int(raw))
    return is_whole and (name not in _NEVER_NEGATIVE or raw >= 0)
