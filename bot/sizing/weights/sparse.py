"""The workspace that sparse latent attention reserves while the model loads."""

from __future__ import annotations

from bot.deployment import Deployment, ModelShape
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, generation_of
from bot.sizing.weights.tensors import Split

_FLASHINFER = 128 << 20
_PREFILL_FACTOR, _LONG_FACTOR = 5, 2  # rows of the cache that are unpacked at once, for a token of max_model_len
_LONG = 256 << 10  # tokens beyond which the second holds from 0.32 on
_PADDED_HEADS = 64
_DEFAULT_BATCH = 8192


def sparse_bytes(deployment: Deployment, shape: ModelShape, split: Split, release: Release) -> int:
    """Return the bytes on one GPU: FlashInfer's 128 MiB on data-center Blackwell, FlashMLA's buffers on Hopper.

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
    padded = -(-heads // _PADDED_HEADS) * _PADDED_HEADS if release >= (0, 31) else 0
    return heads * wide + (padded * (wide + latent) + heads * latent if padded else 0)
