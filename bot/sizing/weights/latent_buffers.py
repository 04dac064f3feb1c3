"""What latent attention holds beside its weights: workspaces, and the products that 0.7 multiplied out."""

from __future__ import annotations

from bot.deployment import Deployment, Gpu
from bot.model_shape import LayerKind, ModelShape
from bot.sizing.each_kind import counts
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, generation_of
from bot.sizing.weights.tensors import Split, rounded_up

_FLASHINFER = 128 << 20  # the workspace of each of its backends
_PREFILL_FACTOR, _LONG_FACTOR = 5, 2  # rows of the cache that are unpacked at once, for a token of max_model_len
_LONG = 256 << 10  # tokens beyond which the second holds from 0.32 on
_PADDED_HEADS = 64
_DEFAULT_BATCH = 8192


def workspace_bytes(shape: ModelShape, card: Gpu | None, release: Release, batched_tokens: int | None = None) -> int:
    """Return what latent attention allocates for good while the model loads, on every GPU.

    Importing FlashInfer's backend takes 128 MiB, and choosing a backend imports all that are possible, so it is there
    even when another one runs. A sparse index adds a buffer of batched_tokens × index_topk numbers of 4 bytes.

    The newest releases make that buffer on first use. Their model classes hold something else of its size that is not
    explained (DeepSeek-V2-Lite in 0.33: 85 MB on one GPU, 149 MB on each of four), so the amount stays.

    Source: vLLM `v1/attention/backends/mla/flashinfer_mla.py`; it closes the gap of DeepSeek-V2-Lite logs of 0.19
    with 1, 2 and 4 GPUs (29.43, 14.83 and 7.51 GiB) to 0.01 GiB.
    """
    if shape.mla is None or release < (0, 11):
        return 0
    is_cuda = card is None or card.vendor == "nvidia"
    picked = 4 * (shape.mla.index_topk or 0) * (batched_tokens or _DEFAULT_BATCH)
    return picked + (_FLASHINFER if is_cuda else 0)


def sparse_bytes(deployment: Deployment, shape: ModelShape, split: Split, release: Release) -> int:
    """Return what sparse attention takes as well: FlashInfer's 128 MiB on data-center Blackwell, FlashMLA's buffers on Hopper.

    Source: vLLM 0.17 `v1/attention/backends/mla/flashinfer_mla_sparse.py`; 48.62 GiB of DeepSeek-V3.2-NVFP4 on each of 8
    B200 with 0.18.
    """
    mla, generation = shape.mla, generation_of(deployment.card)
    if mla is None or not mla.index_topk:
        return 0
    if generation == BLACKWELL and release >= (0, 17):
        return _FLASHINFER
    if generation != HOPPER:
        return 0
    is_packed = (deployment.kv_cache_dtype or "").startswith("fp8")
    heads, tokens = split.heads(shape.heads), deployment.max_num_batched_tokens or _DEFAULT_BATCH
    wide, latent = mla.kv_lora_rank + mla.qk_rope_head_dim, mla.kv_lora_rank
    if not is_packed:
        return 2 * tokens * heads * wide if (0, 18) <= release < (0, 25) else 0
    unpacked = 2 * _unpacked_rows(deployment, shape, release) * wide
    return unpacked + 2 * tokens * _per_token(heads, wide, latent, release)


def _unpacked_rows(deployment: Deployment, shape: ModelShape, release: Release) -> int:
    """Rows that an fp8 cache is unpacked into for prefill.

    Source: vLLM 0.13 `flashmla_sparse.py`, get_prefill_workspace_size; 0.32 `config/vllm.py`; 94.46 GiB of GLM-5.3-FP8 on each of 8 H200 with
    0.28 and 1,048,576 tokens, 5.6 of them for it.
    """
    longest = deployment.max_model_len or shape.max_position or 0
    factor = _LONG_FACTOR if longest > _LONG and release >= (0, 32) else _PREFILL_FACTOR
    return factor * longest if release >= (0, 13) else 0


def _per_token(heads: int, wide: int, latent: int, release: Release) -> int:
    """Elements for a batched token: its queries side by side, and from 0.31 padded ones with their outputs.

    Source: vLLM 0.18 `flashmla_sparse.py`, q_concat_shape; 0.31, workspace_specs.
    """
    if release < (0, 18):
        return 0
    padded = rounded_up(heads, _PADDED_HEADS) if release >= (0, 31) else 0
    return heads * wide + (padded * (wide + latent) + heads * latent if padded else 0)


def absorbed_bytes(shape: ModelShape, split: Split, release: Release) -> int:
    """Return what 0.7.1 to 0.7.3 multiply out beside the projections of latent attention, on one GPU.

    Queries by key up-projection, value up-projection by output, and the rotary part of the queries:
    heads × (query inputs × (latent + rope) + latent × hidden) for each layer; 1 byte each in fp8 checkpoints.

    Source: vLLM 0.7.3 `attention/backends/mla/utils.py`, process_weights_after_loading; 3.97 GiB for
    DeepSeek-Coder-V2-Lite on 8 GPUs with 0.7.1, whose tensors are 3.73.
    """
    mla = shape.mla
    if mla is None or not (0, 7, 1) <= release < (0, 8):
        return 0
    inputs, latent, rope = mla.q_lora_rank or shape.hidden, mla.kv_lora_rank, mla.qk_rope_head_dim
    width = 1 if shape.quantization and "fp8" in shape.quantization.method else 2
    a_head = width * (inputs * latent + latent * shape.hidden) + 2 * inputs * rope
    layers = sum(count for layer, count in counts(shape.runs) if layer.kind is LayerKind.MLA)
    return layers * split.heads(shape.heads) * a_head
