"""Numbers that cannot be meant: zero, negative, absurd, or beyond the model."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment
from bot.sizing.ranges import GIB
from bot.sizing.terms import Refusal

_MOST = {
    "tensor_parallel": 1024,
    "pipeline_parallel": 1024,
    "data_parallel": 65_536,
    "decode_context_parallel": 1024,
    "nodes": 65_536,
    "gpu_count": 65_536,
    "max_model_len": 100_000_000,
    "max_num_seqs": 1_000_000,
    "max_num_batched_tokens": 100_000_000,
    "block_size": 65_536,
    "num_gpu_blocks_override": 1_000_000_000,
    "max_cudagraph_capture_size": 1_000_000,
    "max_loras": 100_000,
    "max_lora_rank": 512,
}
_LORA_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""Source: vLLM 0.33 `config/lora.py`, MaxLoRARanks; up to 0.11 the same without 1, in 0.5 up to 64."""

_LARGEST_GPU = 4096 * GIB
_MOST_HOST_GIB = 65_536


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield the numbers that no vLLM takes."""
    yield from _counts(deployment)
    yield from _items(deployment)
    yield from _utilization(deployment)
    yield from _memory(deployment)
    yield from _context(deployment)


def _counts(deployment: Deployment) -> Iterator[Refusal]:
    unread = _unread(deployment)
    for name, most in _MOST.items():
        value = getattr(deployment, name)
        if value is None or name in unread or (name == "max_model_len" and value == -1):
            continue
        if value < 1:
            yield Refusal(name=name, message=f"{name} is {value:,}; it must be at least 1")
        elif name == "max_lora_rank" and value not in _LORA_RANKS:
            ranks = ", ".join(map(str, _LORA_RANKS))
            yield Refusal(name=name, message=f"{name} is {value:,}; vLLM takes one of {ranks}")
        elif value > most:
            yield Refusal(name=name, message=f"{name} is {value:,}; no deployment has more than {most:,}")


def _unread(deployment: Deployment) -> frozenset[str]:
    """Return which counts vLLM never looks at, whatever they are, because what they count is off.

    Source: vLLM 0.33 `engine/arg_utils.py`, create_engine_config; `config/vllm.py`, _set_cudagraph_sizes.
    """
    captures = not deployment.enforce_eager and deployment.cudagraph_mode != "NONE"
    is_read = {"max_loras": bool(deployment.lora), "max_cudagraph_capture_size": captures}
    return frozenset(name for name, read in is_read.items() if not read)


def doubts(deployment: Deployment) -> Iterator[str]:
    """Yield what was said of LoRA slots where there are none."""
    if deployment.max_loras is not None and not deployment.lora:
        yield f"max_loras {deployment.max_loras:,} changes nothing without --enable-lora: no slots are counted."


def _items(deployment: Deployment) -> Iterator[Refusal]:
    """Yield drafts of no token, and limits below none.

    Source: vLLM 0.33 `config/speculative.py`, num_speculative_tokens; `config/multimodal.py`, BaseDummyOptions.
    """
    tokens = deployment.speculation.tokens if deployment.speculation else None
    if tokens is not None and tokens < 1:
        yield Refusal(name="speculation", message=f"num_speculative_tokens is {tokens:,}; it must be at least 1")
    for kind, most in (deployment.multimodal_limits or {}).items():
        if most < 0:
            yield Refusal(name="multimodal_limits", message=f"the limit of {kind} is {most:,}; it must be at least 0")


def _utilization(deployment: Deployment) -> Iterator[Refusal]:
    share = deployment.gpu_memory_utilization
    if share is None or 0 < share <= 1:
        return
    hint = f"; did you mean {share / 100:g}?" if 10 <= share <= 100 else ""
    yield Refusal(
        name="gpu_memory_utilization",
        message=f"gpu_memory_utilization is {share:g}; it is a share of the card, above 0 and at most 1{hint}",
    )


def _memory(deployment: Deployment) -> Iterator[Refusal]:
    memory = deployment.gpu_memory
    if memory is not None and memory <= 0:
        yield Refusal(name="gpu_memory", message=f"the GPU's memory is {memory}; it must be above zero")
    elif memory is not None and (memory < GIB or memory > _LARGEST_GPU):
        yield Refusal(name="gpu_memory", message=f"the GPU's memory is {memory}; write it like '80 GiB'")
    for name in ("cpu_offload_gib", "swap_space_gib"):
        amount = getattr(deployment, name)
        if amount is not None and not 0 <= amount <= _MOST_HOST_GIB:
            message = f"{name} is {amount:,g}; it is memory of the host in GiB, from 0 to {_MOST_HOST_GIB:,}"
            yield Refusal(name=name, message=message, problem="cli-bad-argument")
    if deployment.kv_cache_memory is not None and deployment.kv_cache_memory <= 0:
        message = f"the KV cache is set to {deployment.kv_cache_memory}; it must be above zero"
        yield Refusal(name="kv_cache_memory", message=message)


def _context(deployment: Deployment) -> Iterator[Refusal]:
    shape, length = deployment.shape, deployment.max_model_len
    most = shape.max_position if shape else None
    if most is None or length is None or length <= most or _may_exceed(deployment):
        return
    yield Refusal(
        name="max_model_len",
        message=f"max_model_len is {length:,}; {shape.name if shape else 'the model'} was made for {most:,} tokens. "
        f"Ask for {most:,} or fewer, or extend it with rope scaling (--hf-overrides)",
        problem="max-len-exceeds-derived",
    )


def _may_exceed(deployment: Deployment) -> bool:
    overrides = any("rope" in word or "hf-overrides" in word for word in deployment.other_arguments)
    return overrides or dict(deployment.environment).get("VLLM_ALLOW_LONG_MAX_MODEL_LEN") == "1"
