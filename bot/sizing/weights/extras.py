"""Weights beside the model's own: LoRA slots, and what loading allocates for good."""

from __future__ import annotations

from bot.deployment import Deployment, Gpu, LayerKind, ModelShape
from bot.sizing.eras import Release
from bot.sizing.weights.layer import layer_tensors
from bot.sizing.weights.tensors import Matrix, Split

_DEFAULT_RANK = 16
_FLASHINFER_WORKSPACE = 128 << 20
_DEFAULT_BATCH, _LEAST_BATCH = 8192, 2048
_DEEPSTACK_LEVELS = 3


def lora_bytes(deployment: Deployment, shape: ModelShape, split: Split, width: float) -> int:
    """Return the bytes of the LoRA slots: for each target module max_loras × rank × (inputs + outputs).

    The first factor is whole on every GPU, the second follows the module's own split.

    Source: vLLM `lora/layers/`, create_lora_weights.
    """
    if not deployment.lora:
        return 0
    slots, rank = deployment.max_loras or 1, deployment.max_lora_rank or _DEFAULT_RANK
    sides = 0
    for run in shape.runs:
        for tensor in layer_tensors(shape, run.layer, split):
            if isinstance(tensor, Matrix) and not tensor.experts:
                sides += run.count * (tensor.inputs * len(tensor.modules) + tensor.outputs)
    return int(slots * rank * sides * width)


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
    return picked + (_FLASHINFER_WORKSPACE if is_cuda else 0)


def deepstack_bytes(shape: ModelShape, batched_tokens: int | None, width: float) -> int:
    """Return the buffers for what Qwen3-VL's tower hands to three text layers: batched_tokens × hidden each.

    Source: vLLM 0.13 `models/qwen3_vl.py`, deepstack_input_embeds; 58.23 GiB of Qwen3-VL-30B-A3B on an H200, 14.77 on
    each of four 3090 and 4.24 of the 2B on a 5070 Ti are the tensors and 0.09, 0.02 and 0.02 GiB.
    """
    if shape.vision is None or not (shape.model_type or "").startswith(("qwen3_vl", "qwen3_omni")):
        return 0
    return round(_DEEPSTACK_LEVELS * (batched_tokens or _LEAST_BATCH) * shape.hidden * width)


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
    layers = sum(run.count for run in shape.runs if run.layer.kind is LayerKind.MLA)
    return layers * split.heads(shape.heads) * a_head
