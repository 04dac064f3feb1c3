"""Named amounts of the budget: what the card holds, what is spent, what is left, and what would fit."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bot.diagnosis.amounts.amount import Amount, sized, stated
from bot.diagnosis.amounts.quantized import find_quantized
from bot.diagnosis.amounts.sizings import default_sequences, limit
from bot.diagnosis.situation import Situation
from bot.sizing import limits
from bot.units import Bytes


def card_total(situation: Situation) -> Bytes | None:
    """Return the total memory of one GPU as torch counts it."""
    card = situation.deployment.card
    stated = situation.fact("total") or situation.deployment.gpu_memory
    known = situation.budget.total if situation.budget else stated
    return known or (card and (card.torch_memory or card.memory)) or _largest_total(situation)


def _largest_total(situation: Situation) -> Bytes | None:
    totals = [gpu.memory_total_mib for gpu in situation.evidence.gpus if gpu.memory_total_mib]
    return Bytes.mib(max(totals)) if totals else None


def allowance(situation: Situation) -> Bytes | None:
    """Return total × gpu_memory_utilization; a share above 1, which vLLM refuses, is none."""
    if situation.budget:
        return situation.budget.allowance
    total, share = card_total(situation), situation.fact("gpu_memory_utilization")
    return total * share if total and share and share <= 1 else None


def beside_allowance(situation: Situation) -> Bytes | None:
    """Return total − allowance: the room for what the allowance does not count."""
    total, inside = card_total(situation), allowance(situation)
    return None if total is None or inside is None else total - inside


def weights_per_gpu(situation: Situation) -> Bytes | None:
    """Return the weights that the fullest GPU holds."""
    term = situation.budget.term("weights") if situation.budget else None
    return term.amount if term else situation.fact("weights")


def weights_total(situation: Situation) -> Bytes | None:
    """Return the weights of all GPUs of one replica together; about, where tensors are replicated."""
    one = weights_per_gpu(situation)
    shape = situation.deployment.shape
    if one is None:
        return shape.checkpoint_bytes if shape else None
    return one * situation.deployment.gpus_of_a_replica


def weights_share(situation: Situation) -> float | None:
    """Return weights ÷ allowance."""
    weights, inside = weights_per_gpu(situation), allowance(situation)
    return weights / inside if weights is not None and inside else None


def kv_room(situation: Situation) -> Bytes | None:
    """Return the memory left for the KV cache; it may be negative."""
    logged = situation.fact("kv_available")
    return situation.budget.kv_available if logged is None and situation.budget else logged


def leaves_room(situation: Situation) -> bool:
    """Return whether by the budget the engine starts, with room to spare; false without a budget."""
    budget = situation.budget
    return budget is not None and budget.fits and budget.failed_check is None and not budget.is_within_margin


def kv_missing(situation: Situation) -> Bytes | None:
    """Return the KV cache that one request of max_model_len lacks; below zero it fits."""
    needed, room = situation.fact("kv_needed") or kv_needed(situation), kv_room(situation)
    return None if needed is None or room is None else needed - room


def kv_needed(situation: Situation) -> Bytes | None:
    """Return the KV cache that one request of max_model_len takes."""
    return situation.budget.kv_needed if situation.budget else situation.fact("kv_needed")


def kv_to_set(situation: Situation) -> Bytes | None:
    """Return the KV cache that one request of max_model_len takes, in whole GiB."""
    needed = kv_needed(situation)
    return Bytes.gib(math.ceil(needed / Bytes.gib(1))) if needed else None


def kv_bytes_per_token(situation: Situation) -> Bytes | None:
    """Return the KV cache of one token on one GPU."""
    return Bytes(round(situation.budget.kv_bytes_per_token)) if situation.budget else None


def kv_tokens_held(situation: Situation) -> int | None:
    """Return how many tokens the KV cache holds."""
    logged = situation.fact("kv_tokens")
    return situation.budget.kv_tokens if logged is None and situation.budget else logged


def concurrency_held(situation: Situation) -> float | None:
    """Return how many requests of max_model_len fit at once."""
    return situation.budget.concurrency if situation.budget else situation.fact("concurrency")


def longest_context_held(situation: Situation) -> int | None:
    """Return the longest context that fits: what vLLM printed, or what we compute."""
    logged = situation.fact("estimated_max_len")
    if logged:
        return logged
    return situation.budget.longest_context or None if situation.budget else situation.fact("kv_tokens")


def longest_context_fp8(situation: Situation) -> int | None:
    """Return the longest context that fits with an fp8 KV cache."""
    return limit(limits.longest_context, situation, kv_cache_dtype="fp8")


def half_batched_tokens(situation: Situation) -> int | None:
    """Return half of max_num_batched_tokens, in whole blocks of 16."""
    filled = situation.budget.deployment if situation.budget else situation.deployment
    tokens = filled.max_num_batched_tokens
    return max(tokens // 32 * 16, 16) if tokens else None


def half_sequences(situation: Situation) -> int | None:
    """Return half of max_num_seqs."""
    filled = situation.budget.deployment if situation.budget else situation.deployment
    return max(filled.max_num_seqs // 2, 1) if filled.max_num_seqs else None


FEW_SEQUENCES = 8
"""Fewer requests at the same time than this nobody wants to be limited to for the sake of lengths that never come."""


def most_sequences(situation: Situation) -> int | None:
    """Return the most sequences with which the engine starts and holds that many requests of full length."""
    return limit(limits.most_sequences, situation)


def sequences_served(situation: Situation) -> int | None:
    """Return nine tenths of the requests that ran; without that figure the most of full length, where they are many."""
    running = situation.fact("running")
    if running:
        return max(running * 9 // 10, 1)
    most = most_sequences(situation)
    return most if most and most >= FEW_SEQUENCES else None


def fewest_gpus(situation: Situation) -> int | None:
    """Return the smallest tensor parallel size, beyond the present one, that divides the model and fits."""
    size = limit(limits.fewest_gpus, situation)
    return size if size and size > (situation.deployment.tensor_parallel or 1) else None


def max_position(situation: Situation) -> int | None:
    """Return the context length that the model was made for."""
    shape = situation.deployment.shape
    return situation.fact("derived_max_model_len") or (shape.max_position if shape else None)


def tp_divisors(situation: Situation) -> tuple[int, ...] | None:
    """Return the tensor parallel sizes that divide the attention heads and exist on the GPUs at hand."""
    shape = situation.deployment.shape
    heads = situation.fact("attention_heads") or (shape.heads if shape else None)
    if not heads:
        return None
    most = min(situation.deployment.gpu_count or heads, heads)
    return tuple(size for size in range(1, most + 1) if heads % size == 0)


def quantized_model(situation: Situation) -> str | None:
    """Return a quantized checkpoint of the same model that the catalogue knows."""
    return find_quantized(situation.deployment)


def sequences_by_default(situation: Situation) -> int | None:
    """Return max_num_seqs as vLLM sets it when nobody does."""
    return default_sequences(situation.deployment)


MEMORY_AMOUNTS: Mapping[str, Amount] = {
    "card_total": stated(card_total, "gpu", "total"),
    "allowance": stated(allowance, "gpu", "gpu_memory_utilization"),
    "beside_allowance": stated(beside_allowance, "gpu", "gpu_memory_utilization"),
    "weights_per_gpu": sized(weights_per_gpu, "weights"),
    "weights_total": sized(weights_total, "weights"),
    "weights_share": sized(weights_share, "weights", "gpu_memory_utilization"),
    "kv_room": sized(kv_room, "kv_available"),
    "kv_needed": sized(kv_needed, "kv_needed"),
    "leaves_room": sized(leaves_room),
    "kv_to_set": sized(kv_to_set),
    "kv_missing": sized(kv_missing, "kv_needed", "kv_available"),
    "kv_bytes_per_token": sized(kv_bytes_per_token),
    "kv_tokens_held": sized(kv_tokens_held, "kv_tokens"),
    "concurrency_held": sized(concurrency_held, "concurrency"),
    "longest_context": sized(longest_context_held, "estimated_max_len", "kv_tokens"),
    "longest_context_fp8": sized(longest_context_fp8),
    "most_sequences": sized(most_sequences),
    "sequences_served": sized(sequences_served, "running"),
    "fewest_gpus": sized(fewest_gpus),
    "half_batched_tokens": sized(half_batched_tokens, "max_num_batched_tokens"),
    "half_sequences": sized(half_sequences, "max_num_seqs"),
    "max_position": stated(max_position, "model"),
    "tp_divisors": stated(tp_divisors, "model"),
    "quantized_model": stated(quantized_model, "model"),
    "default_max_num_seqs": stated(sequences_by_default, "vllm_version"),
}
