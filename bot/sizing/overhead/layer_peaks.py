"""What is alive in the layer that needs most of the card, while a full dummy batch runs."""

from __future__ import annotations

from bot.model_shape import LayerKind
from bot.sizing import constants
from bot.sizing.overhead.expert_buffers import passing_buffers
from bot.sizing.resolved import Resolved


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
    return (mlp(run) if is_latent(run) else copies) + passing_buffers(run)


def is_latent(run: Resolved) -> bool:
    """Return whether any layer attends by latents."""
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
