"""The peak of activations while vLLM profiles itself with a full dummy batch."""

from __future__ import annotations

from bot.sizing import multimodal
from bot.sizing.constants import (
    ACTIVATION_KNOWN,
    ACTIVATION_MLP,
    ACTIVATION_UNSTATED,
    FLASHINFER_SAMPLER,
    MLP_HIDDEN_COPIES,
    RUNNER_V2_SAMPLER,
    SORT_SAMPLER,
    TRITON_SAMPLER,
    Guess,
)
from bot.sizing.ranges import Estimate
from bot.sizing.resolved import Resolved

FLOAT32_LOGITS_SHARE = 2  # a float32 model's logits take two bytes more for each element


def activation(run: Resolved) -> Estimate:
    """Return the activation peak of one GPU.

    max(one layer's MLP, logits and sampler + hidden states), with the expert layers' workspace added where it
    outlives the layer (0.13 and later), and with a vision tower's pixels and outputs, which stay alive.

    Source: measured on start-up logs of about 40 models; the allocations are those of vLLM 0.19
    `v1/worker/gpu_model_runner.py`, _dummy_run and _dummy_sampler_run.
    """
    sampler = sampler_constant(run)
    amount = peak(run, sampler.value)
    low_share, high_share = _shares(run, sampler)
    low = peak(run, sampler.low) * (1 + low_share)
    high = peak(run, sampler.high) * (1 + high_share)
    if not run.version_is_stated and not run.is_v0:
        high = max(high, peak(run, SORT_SAMPLER.high))
    towers = multimodal.encoder_peak(run)
    return Estimate(
        round(amount) + towers.amount,
        round(min(low, amount)) + towers.low,
        round(max(high, amount)) + towers.high,
        _formula(run, sampler, towers.amount),
        f"{sampler.origin}; {run.max_num_seqs:,} sequences and {run.max_num_batched_tokens:,} batched tokens",
        "measured on start-up logs; vLLM 0.19 v1/worker/gpu_model_runner.py",
    )


def peak(run: Resolved, sampler_bytes: float) -> float:
    """Return the text model's peak in bytes on the GPU that peaks highest."""
    workspace = expert_workspace(run)
    layer = mlp(run)
    if run.release < (0, 13) or run.is_v0:
        return max(layer + workspace, logits(run, sampler_bytes) + hidden(run))
    return max(layer, logits(run, sampler_bytes) + hidden(run)) + workspace


def hidden(run: Resolved) -> int:
    """Return the bytes of the batch's hidden states: (batched tokens, hidden)."""
    return run.max_num_batched_tokens * run.shape.hidden * run.model_width


def logits(run: Resolved, sampler_bytes: float) -> float:
    """Return the bytes of logits and sampling: (sequences, vocabulary), gathered on every tensor-parallel rank."""
    if not run.shape.wiring.has_lm_head:
        return 0.0
    extra = FLOAT32_LOGITS_SHARE if run.model_width == 4 else 0
    return (sampler_bytes + extra) * run.max_num_seqs * run.shape.vocab


def mlp(run: Resolved) -> float:
    """Return the bytes alive in one dense layer: gate, up and their product, and the copies of the hidden state."""
    shape = run.shape
    inner = shape.intermediate or 4 * shape.hidden
    if shape.moe is not None:
        inner = _dense_intermediate(run)
    wide = (3 if shape.gated_mlp else 2) * inner / run.tensor_parallel
    return run.model_width * run.max_num_batched_tokens * (wide + MLP_HIDDEN_COPIES.value * shape.hidden)


def expert_workspace(run: Resolved) -> float:
    """Return the bytes of the expert kernels' two buffers: (batched tokens × experts per token, …).

    gpt-oss runs fused kernels that need none. Tokens came in chunks of 64 Ki up to 0.11 and 16 Ki up to 0.17.

    Source: vLLM 0.19 `model_executor/layers/fused_moe/modular_kernel.py`.
    """
    moe = run.shape.moe
    if moe is None or run.shape.model_type == "gpt_oss":
        return 0.0
    inner = moe.intermediate if run.expert_parallel else moe.intermediate / run.tensor_parallel
    wide = moe.latent or run.shape.hidden
    tokens = min(run.max_num_batched_tokens, _expert_chunk(run))
    return run.model_width * tokens * moe.experts_per_token * (max(inner, wide) + max(2 * inner, wide))


def sampler_constant(run: Resolved) -> Guess:
    """Return the bytes that one logit costs while it is sampled, by the sampler of the version."""
    if run.is_v0 or run.release < (0, 17):
        return SORT_SAMPLER
    if run.release < (0, 24) and run.max_num_seqs < 8:
        return SORT_SAMPLER
    if run.release < (0, 22) or run.environment.get("VLLM_USE_FLASHINFER_SAMPLER") == "0":
        return TRITON_SAMPLER
    return RUNNER_V2_SAMPLER if run.release >= (0, 29) else FLASHINFER_SAMPLER


def _expert_chunk(run: Resolved) -> int:
    if run.release >= (0, 18):
        return run.max_num_batched_tokens
    return 16384 if run.release >= (0, 12) else 65536


def _dense_intermediate(run: Resolved) -> int:
    """An expert model's dense part: its first dense layers, or the shared experts."""
    shape = run.shape
    moe = shape.moe
    assert moe is not None
    if any(layers.layer.mlp == "dense" for layers in shape.runs):
        return shape.intermediate or 0
    return moe.shared_intermediate or moe.shared_experts * moe.intermediate


def _shares(run: Resolved, sampler: Guess) -> tuple[float, float]:
    known = not ({"max_num_seqs", "max_num_batched_tokens"} & run.assumed) and run.version_is_stated
    is_layer = mlp(run) > logits(run, sampler.value) + hidden(run)
    guess = ACTIVATION_MLP if is_layer else ACTIVATION_KNOWN
    if not known and not run.version_is_stated:
        guess = ACTIVATION_UNSTATED
    return guess.low, guess.high


def _formula(run: Resolved, sampler: Guess, towers: int) -> str:
    if mlp(run) > logits(run, sampler.value) + hidden(run):
        text = "2 B × batched tokens × (3 × intermediate ÷ TP + 4.2 × hidden)"
    else:
        text = f"{sampler.value:g} B × {run.max_num_seqs:,} sequences × {run.shape.vocab:,} vocabulary + hidden states"
    if expert_workspace(run):
        text += " + expert workspace"
    return text + (" + multimodal encoder" if towers else "")
