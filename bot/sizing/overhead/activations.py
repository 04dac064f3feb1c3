"""The peak of activations while vLLM profiles itself with a full dummy batch."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bot.model_shape import LayerKind
from bot.sizing import constants
from bot.sizing.overhead import multimodal
from bot.sizing.overhead.compiling import TELLING, with_scratch
from bot.sizing.overhead.expert_buffers import expanded_rows, kept_buffers, optional_buffers, passing_buffers
from bot.sizing.overhead.handed_on import with_handed_on
from bot.sizing.overhead.processors import cublas_workspace, multiprocessors
from bot.sizing.overhead.quantized_inputs import quantized_inputs
from bot.sizing.overhead.samplers import FLASHINFER, SORT, Sampler, may_be_flashinfer, possible_samplers, sampler_of
from bot.sizing.ranges import GIB, Estimate
from bot.sizing.resolved import Resolved


class Batch(NamedTuple):
    """What a dummy batch takes, in bytes, whichever sampler runs."""

    layer: float  # alive in the layer that needs most
    kept: float  # of the expert kernels' buffers, until logits are sampled
    hidden: int  # states, and sampled rows


def batch_of(run: Resolved) -> Batch:
    """Return what the batch of a run takes."""
    return Batch(layer_peak(run), kept_buffers(run), hidden(run))


def activation(run: Resolved, *, samples: bool = True) -> Estimate:
    """Return the activation peak of one GPU; only the last pipeline stage has logits and `samples`.

    max(one layer, logits and sampler + hidden states), with the expert layers' buffers added where they outlive the
    layer, and with a vision tower's pixels and outputs, which stay alive.

    Source: measured on start-up logs of about 40 models; the allocations are those of vLLM 0.19
    `v1/worker/gpu_model_runner.py`, _dummy_run and _dummy_sampler_run.
    """
    run = replace(run, max_num_seqs=multimodal.profiled_sequences(run))
    sampler, batch = sampler_of(run), batch_of(run)
    if not samples:
        return with_handed_on(run, with_scratch(run, _layer_only(run, batch)))
    amount = peak(run, batch, sampler, sampler.per_logit.value)
    low, high = _range(run, batch, sampler, amount)
    alive, tower = multimodal.encoder_peak(run)
    if run.is_v0 and run.shape.vision is not None:
        low, high = (low * (1 + constants.ACTIVATION_V0_TOWER.low), high * (1 + constants.ACTIVATION_V0_TOWER.high))
    found = Estimate(
        max(round(amount) + alive.amount, tower.amount),
        max(round(low) + alive.low, tower.low),
        max(round(high) + alive.high, tower.high),
        _formula(run, batch, sampler, alive.amount),
        f"{_origin(run, sampler)}; {run.max_num_seqs:,} sequences and {run.max_num_batched_tokens:,} batched tokens",
        "measured on start-up logs; vLLM 0.19 v1/worker/gpu_model_runner.py",
        _doubt(run, batch, round(amount) + alive.amount, tower.amount),
    )
    if run.pipeline_parallel > 1:  # the first stage looks up the table, and its scratch is there
        return with_handed_on(run, found)
    return with_scratch(run, found)


def _origin(run: Resolved, sampler: Sampler) -> str:
    """Say what the figure rests on; a wide range says why."""
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        return constants.ACTIVATION_UNMODELLED.origin
    return sampler.per_logit.origin


def _doubt(run: Resolved, batch: Batch, amount: int, tower: int) -> str:
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        return f"{constants.ACTIVATION_UNMODELLED.origin}; a start-up log settles it"
    if not (may_be_flashinfer(run) and sampler_of(run) is SORT):
        return ""
    saved = peak(run, batch, SORT, SORT.per_logit.value) - peak(run, batch, FLASHINFER, FLASHINFER.per_logit.value)
    least, said = max(amount - round(saved), tower), "Using FlashInfer for top-p & top-k sampling"
    return f'{least / GIB:.2f} GiB where the log says "{said}"' if max(amount, tower) - least > TELLING else ""


def _layer_only(run: Resolved, batch: Batch) -> Estimate:
    amount = batch.layer + batch.kept + cublas_workspace(run.card)
    share = constants.ACTIVATION_OTHER_STACK
    low, high = amount * (1 + share.low), amount * (1 + share.high) + stream_buffers(run)
    return Estimate(round(amount), round(low), round(high), "one layer; the last stage has the logits", share.origin)


def _range(run: Resolved, batch: Batch, sampler: Sampler, amount: float) -> tuple[float, float]:
    is_layer = _layer_is_peak(run, batch, sampler)
    low_share, high_share = _shares(run, is_layer=is_layer)
    low = peak(run, batch, sampler, sampler.per_logit.low) * (1 + low_share) - optional_buffers(run)
    high = peak(run, batch, sampler, sampler.per_logit.high) * (1 + high_share)
    high = max(high, amount + scan_buffers(run) * is_layer)
    high = max(high, batch.layer + quantized_inputs(run) + batch.kept + cublas_workspace(run.card))
    if is_layer and _is_latent(run) and run.shape.moe:
        low, high = (found * share for found, share in zip((low, high), constants.LATENT_EXPERTS[1:3], strict=True))
    high += expanded_rows(run) + stream_buffers(run)
    if run.shape.model_type in constants.LAYERS_UNMODELLED:
        low = amount * (1 + constants.ACTIVATION_UNMODELLED.low)
    for other in possible_samplers(run)[1:]:
        low = min(low, peak(run, batch, other, other.per_logit.low) * (1 + low_share))
        high = max(high, peak(run, batch, other, other.per_logit.high))
    return min(low, amount), max(high, amount)


def peak(run: Resolved, batch: Batch, sampler: Sampler, per_logit: float) -> float:
    """Return the text model's peak in bytes on the GPU that peaks highest."""
    sampled = logits(run, sampler, per_logit) + batch.hidden
    return max(batch.layer, sampled) + batch.kept + cublas_workspace(run.card)


def images_set_the_peak(run: Resolved) -> bool:
    """Return whether the largest images reach higher than the text, in the tower or by what they keep alive."""
    run = replace(run, max_num_seqs=multimodal.profiled_sequences(run))
    sampler, images = sampler_of(run), multimodal.encoder_peak(run)
    return max(each.amount for each in images) > peak(run, batch_of(run), sampler, sampler.per_logit.value)


def hidden(run: Resolved) -> int:
    """Return the bytes of the batch's hidden states, (batched tokens, hidden), and of the sampled rows."""
    rows = run.max_num_batched_tokens + constants.SAMPLED_COPIES * run.max_num_seqs
    return rows * run.shape.hidden * run.model_width


def logits(run: Resolved, sampler: Sampler, per_logit: float) -> float:
    """Return the bytes of logits and sampling: (sequences, vocabulary), gathered on every tensor-parallel rank.

    Source: vLLM `distributed/device_communicators/base_device_communicator.py`, all_gather: a rank's part, all, and all in order.
    """
    if not run.shape.wiring.has_lm_head:
        return 0.0
    gathered = (2 + 1 / run.tensor_parallel) * run.model_width if run.tensor_parallel > 1 else 0.0
    wider = max(per_logit + (run.model_width - 2), gathered)
    scratch = constants.TRITON_BUFFER * min(multiprocessors(run.card), run.max_num_seqs) if sampler.has_scratch else 0
    return (wider * run.max_num_seqs + scratch) * run.shape.vocab


def sampler_peak(run: Resolved) -> int:
    """Return what the sampler's warm-up needs at least."""
    sampler = sampler_of(run)
    return round(logits(run, sampler, sampler.per_logit.low))


def layer_peak(run: Resolved) -> float:
    """Return the bytes alive in the layer that needs most: an MLP, the experts, or the scan of a DeltaNet layer."""
    return max(mlp(run), experts(run), delta_scan(run)) + residual_streams(run)


def experts(run: Resolved) -> float:
    """Return the bytes alive in a layer of experts: their buffers and the copies of the hidden state.

    Behind latent attention a dense layer as well: so three logs say.
    """
    if run.shape.moe is None:
        return 0.0
    copies = run.model_width * run.max_num_batched_tokens * constants.MLP_HIDDEN_COPIES.value * run.shape.hidden
    return (mlp(run) if _is_latent(run) else copies) + passing_buffers(run)


def _is_latent(run: Resolved) -> bool:
    return any(layer.kind is LayerKind.MLA for layer in run.shape.kinds)


def mlp(run: Resolved) -> float:
    """Return the bytes alive in one dense layer: gate, up and their product, and the copies of the hidden state."""
    shape = run.shape
    inner = shape.intermediate or 4 * shape.hidden
    if shape.moe is not None:
        inner = _dense_intermediate(run)
    wide = (3 if shape.gated_mlp else 2) * inner / run.tensor_parallel
    return run.model_width * run.max_num_batched_tokens * (wide + constants.MLP_HIDDEN_COPIES.value * shape.hidden)


def delta_scan(run: Resolved) -> float:
    """Return the bytes alive in a chunked DeltaNet scan: projections, gates, states of chunks and their products.

    Source: vLLM `model_executor/layers/fla/ops/chunk.py`; 36.7 and 37.7 bytes for each token and value channel in logs
    of two models, on two cards and with 0.20 and 0.23.
    """
    if not any(layer.kind is LayerKind.GATED_DELTA for layer in run.shape.kinds):
        return 0.0
    copies = constants.DELTA_SCAN.value * _channels(run) + 2 * run.model_width * run.shape.hidden
    return copies * run.max_num_batched_tokens


def scan_buffers(run: Resolved) -> float:
    """Return what a KDA layer may hold beside: an upper bound, taken from DeltaNet layers."""
    if not any(layer.kind is LayerKind.KDA for layer in run.shape.kinds):
        return 0.0
    return constants.SCAN_BYTES * run.max_num_batched_tokens * _channels(run)


def residual_streams(run: Resolved) -> float:
    """Return the bytes of several residual streams, as they come into a layer and as they leave it.

    Source: vLLM 0.31 `models/deepseek_v4/nvidia/model.py` and `models/glm5next/common/model.py`, hc_fused_post_pre.
    """
    return 2 * run.model_width * run.max_num_batched_tokens * run.shape.wiring.hyper_connections * run.shape.hidden


def stream_buffers(run: Resolved) -> float:
    """Return what mixing several residual streams may hold in 32 bits: an upper bound, seen in one log."""
    streams = run.shape.wiring.hyper_connections
    return constants.STREAM_BYTES * run.max_num_batched_tokens * streams * run.shape.hidden


def _channels(run: Resolved) -> float:
    linear = run.shape.linear
    if linear is None or not linear.value_heads or not linear.value_head_dim:
        return 0.0
    return linear.value_heads * linear.value_head_dim / run.tensor_parallel


def _dense_intermediate(run: Resolved) -> int:
    """An expert model's dense part: its first dense layers, or the shared experts."""
    shape = run.shape
    moe = shape.moe
    assert moe is not None
    if any(layer.mlp == "dense" for layer in shape.kinds):
        return shape.intermediate or 0
    return moe.shared_intermediate or moe.shared_experts * moe.intermediate


def _layer_is_peak(run: Resolved, batch: Batch, sampler: Sampler) -> bool:
    return batch.layer > logits(run, sampler, sampler.per_logit.value) + batch.hidden


def _shares(run: Resolved, *, is_layer: bool) -> tuple[float, float]:
    guess = constants.ACTIVATION_MLP if is_layer else constants.ACTIVATION_KNOWN
    if run.release >= (0, 20):
        guess = constants.ACTIVATION_OTHER_STACK
    return guess.low, guess.high


def _formula(run: Resolved, batch: Batch, sampler: Sampler, towers: int) -> str:
    is_layer = _layer_is_peak(run, batch, sampler)
    if is_layer and delta_scan(run) > mlp(run):
        scan = constants.DELTA_SCAN.value
        text = f"batched tokens × ({2 * run.model_width} B × hidden + {scan:g} B × DeltaNet values ÷ TP)"
    elif is_layer:
        copies = constants.MLP_HIDDEN_COPIES.value
        text = f"{run.model_width} B × batched tokens × (3 × intermediate ÷ TP + {copies:g} × hidden)"
    else:
        per_logit = sampler.per_logit.value
        text = f"{per_logit:g} B × {run.max_num_seqs:,} sequences × {run.shape.vocab:,} vocabulary + hidden states"
    if batch.kept:
        text += " + expert buffers"
    return text + (" + multimodal encoder" if towers else "")
