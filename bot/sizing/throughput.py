"""How fast a deployment decodes and prefills, by a roofline, and how many people it serves."""

from __future__ import annotations

from typing import NamedTuple

from bot.model_shape import LayerKind, ModelShape, Moe
from bot.sizing import constants
from bot.sizing.constants import Guess
from bot.sizing.each_kind import counts
from bot.sizing.generations import BLACKWELL
from bot.sizing.kv_cache import per_layer
from bot.sizing.kv_cache.per_layer import FRAMES, Spec
from bot.sizing.resolved import Resolved, resolve
from bot.sizing.terms import Budget
from bot.sizing.weights.storage import quantization_of

GIGA = 10**9
TERA = 10**12


class Rate(NamedTuple):
    """Tokens a second of the whole deployment, with the range that the efficiency leaves."""

    typical: float
    low: float
    high: float
    bound: str  # what the roofline runs into: "memory bandwidth" or "arithmetic"


def decode_rate(budget: Budget, sequences: int, context_tokens: int) -> Rate | None:
    """Return the tokens generated a second by `sequences` requests of `context_tokens` each; None if the card is unknown.

    One step reads the weights that the batch touches once, and every sequence's KV cache:
    time = max(bytes ÷ bandwidth, 2 × active parameters × sequences ÷ FLOP/s).

    Source: the roofline model; efficiency ranges from published runs.
    """
    run = resolve(budget.deployment)
    card = run.card
    if card is None or card.bandwidth_gbs is None or sequences < 1:
        return None
    read = weights_read(budget, run, sequences) + sequences * kv_read(run, context_tokens)
    moving = read / (card.bandwidth_gbs * GIGA)
    computing = _computing(run, budget, sequences)
    steps = 1 / max(moving, computing or 0.0)
    bound = "arithmetic" if computing and computing > moving else "memory bandwidth"
    return _rate(sequences * steps * run.data_parallel, constants.DECODE_EFFICIENCY, bound)


def prefill_rate(budget: Budget) -> Rate | None:
    """Return the prompt tokens read a second; None if the card's FLOP/s are unknown.

    Linear layers of 8 bits run at the card's 8-bit rate; the low end is the 16-bit rate, which attention keeps to.

    Source: 2 FLOPs for each active parameter and token; efficiency ranges from published runs.
    """
    run = resolve(budget.deployment)
    seconds = _computing(run, budget, 1)
    if seconds is None:
        return None
    rate = _rate(run.data_parallel / seconds, constants.PREFILL_EFFICIENCY, "arithmetic")
    return rate._replace(low=rate.low / _gain(run))


def sequences_held(budget: Budget, context_tokens: int) -> int:
    """Return how many requests of `context_tokens` one replica holds at once: in its KV cache, or in a step without one."""
    if context_tokens >= 1 and not budget.keeps_cache:
        run = resolve(budget.deployment)
        most = run.max_num_seqs
        return most if run.shape.keeps_states else min(most, run.max_num_batched_tokens // context_tokens)
    if context_tokens < 1 or budget.kv_bytes_per_token <= 0 or budget.kv_available <= 0:
        return 0
    run = resolve(budget.deployment)
    per_request = kv_read(run, context_tokens)
    held = int(budget.kv_available / per_request) if per_request else budget.deployment.max_num_seqs or 0
    return min(held, budget.deployment.max_num_seqs or held)


def connected_users(
    budget: Budget, context_tokens: int, active_share: float, tokens_per_second: float = 10.0
) -> int | None:
    """Return how many people may be connected when `active_share` of them have a request running.

    The smaller of what the KV cache holds and what decodes at `tokens_per_second` each; None if the card is unknown.
    """
    if not 0 < active_share <= 1 or tokens_per_second <= 0:
        return None
    active = sequences_held(budget, context_tokens)
    while active > 0:
        rate = decode_rate(budget, active, context_tokens)
        if rate is None:
            return None
        if rate.typical / active / (budget.deployment.data_parallel or 1) >= tokens_per_second:
            break
        active = active * 4 // 5
    return int(active * (budget.deployment.data_parallel or 1) / active_share)


def kv_read(run: Resolved, context_tokens: int) -> int:
    """Return the bytes of one sequence's cache on one GPU, of which windowed layers keep their window only."""
    return sum(
        count * (spec.state_bytes or spec.token_bytes * _kept(spec, context_tokens))
        for spec, count in per_layer.specs(run)
    )


def _kept(spec: Spec, context_tokens: int) -> int:
    if spec.kind == LayerKind.CROSS.value:
        return FRAMES
    return min(context_tokens, spec.window or context_tokens)


def weights_read(budget: Budget, run: Resolved, sequences: int) -> float:
    """Return the bytes of weights that one step of `sequences` tokens reads on one GPU: of experts, those it touches."""
    term = budget.term("weights")
    whole = float(term.amount) if term else 0.0
    moe = run.shape.moe
    if moe is None:
        return whole
    untouched = (1 - moe.experts_per_token / moe.experts) ** sequences
    return whole * (1 - expert_share(run.shape, moe) * untouched)


def expert_share(shape: ModelShape, moe: Moe) -> float:
    """Return the share of the model's parameters that are routed experts."""
    layers = sum(count for layer, count in counts(shape.runs) if layer.mlp == "moe") or shape.layers
    experts = layers * moe.experts * 3 * (moe.latent or shape.hidden) * moe.intermediate
    others = 2 * shape.vocab * shape.hidden + 4 * shape.layers * shape.hidden**2
    return min(0.99, experts / max(shape.parameters or 0, experts + others, 1))


def active_parameters(budget: Budget, run: Resolved) -> float:
    """Return the parameters that one token passes through, in the whole model."""
    term = budget.term("weights")
    ranks = run.tensor_parallel * run.pipeline_parallel
    counted = run.shape.parameters or (float(term.amount) * ranks / run.model_width if term else 0.0)
    moe = run.shape.moe
    idle = expert_share(run.shape, moe) * (1 - moe.experts_per_token / moe.experts) if moe else 0.0
    return counted * (1 - idle)


def _computing(run: Resolved, budget: Budget, tokens: int) -> float | None:
    if run.card is None or run.card.bf16_tflops is None:
        return None
    flops = run.card.bf16_tflops * TERA * _gain(run) * run.tensor_parallel
    return 2 * active_parameters(budget, run) * tokens / flops


def _gain(run: Resolved) -> float:
    """Return how much faster the card multiplies this checkpoint's matrices than matrices of 16 bits."""
    card = run.card
    if card is None or not card.fp8_tflops or not card.bf16_tflops or not multiplies_few_bits(run):
        return 1.0
    return card.fp8_tflops / card.bf16_tflops


def multiplies_few_bits(run: Resolved) -> bool:
    """Return whether inputs are quantized too: FP8 from Ada on, NVFP4 on Blackwell; else weights are unpacked to 16 bits."""
    found = quantization_of(run.deployment, run.shape)
    capability = (run.card.compute_capability or 0.0) if run.card else 0.0
    name = f"{found.method} {found.algorithm}".lower() if found else ""
    if "a16" in name or "mxfp4" in name:
        return False
    return capability >= BLACKWELL if "nvfp4" in name else "fp8" in name


def _rate(ideal: float, share: Guess, bound: str) -> Rate:
    return Rate(ideal * share.value, ideal * share.low, ideal * share.high, bound)
