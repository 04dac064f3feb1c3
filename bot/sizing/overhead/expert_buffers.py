"""What the kernels of an expert layer hold for one batch."""

from __future__ import annotations

from math import ceil

from bot.model_shape import Moe
from bot.sizing.each_kind import counts
from bot.sizing.generations import BLACKWELL, generation_of
from bot.sizing.overhead.expert_kernels import (
    Kernel,
    expert_ranks,
    kernel_of,
    outlives_layer,
    runs_marlin,
    width_of_expert,
)
from bot.sizing.resolved import Resolved
from bot.sizing.weights.allocator import NEVER_SPLIT, has_expandable_segments

_ALIGNED = 128  # rows of each expert that DeepGEMM rounds up to


def kept_buffers(run: Resolved) -> float:
    """Return the bytes of the expert kernels' buffers that are still there when logits are sampled."""
    if run.shape.moe is None:
        return 0.0
    kernel = kernel_of(run)
    if kernel is Kernel.FLASHINFER:  # the outputs alone: its own buffers end with each call
        return run.model_width * arriving_tokens(run) * (run.shape.moe.latent or run.shape.hidden)
    return _buffers(run, run.shape.moe, kernel) if outlives_layer(run, kernel) else 0.0


def passing_buffers(run: Resolved) -> float:
    """Return the bytes that the expert kernels give back with their layer."""
    if run.shape.moe is None:
        return 0.0
    kernel = kernel_of(run)
    held = 0.0 if outlives_layer(run, kernel) else _buffers(run, run.shape.moe, kernel)
    return held + _arriving_states(run)


def arriving_tokens(run: Resolved) -> int:
    """Return the tokens that reach the experts on one GPU: with data parallelism those of all replicas, as every rank of it computes.

    Source: vLLM `layers/fused_moe/layer.py`, naive_multicast of 0.8.5, do_naive_dispatch_combine from 0.9.2, and the
    default of all2all_backend up to 0.33. Qwen3-Coder-480B on 8 H20 with 0.10.1 left 9.55 GiB beside its weights and cache.
    """
    return run.max_num_batched_tokens * run.data_parallel


def _arriving_states(run: Resolved) -> float:
    """Return the bytes of the hidden states that come from all replicas."""
    return run.model_width * arriving_tokens(run) * run.shape.hidden * (run.data_parallel > 1)


def optional_buffers(run: Resolved) -> float:
    """Return the bytes of kept buffers that a package brings which container images have and plain wheels lack: DeepGEMM's.

    Source: vLLM 0.11 `utils/import_utils.py`, has_deep_gemm; without it Triton runs, whose buffers end with the layer until 0.14.
    """
    if run.shape.moe is None or kernel_of(run) is not Kernel.DEEP_GEMM:
        return 0.0
    without = 0.0 if run.release < (0, 14) else _buffers(run, run.shape.moe, Kernel.TRITON)
    return kept_buffers(run) - without


def _buffers(run: Resolved, moe: Moe, kernel: Kernel) -> float:
    """Return the buffers' bytes: (batched tokens × experts per token, …); tokens came in chunks of 64 Ki, 16 Ki up to 0.17.

    Modular kernels have two buffers, each as wide as its widest tenant; functions share one for both products.

    Source: vLLM workspace_shapes of `layers/fused_moe/`; fused_experts_impl of 0.8 and `fused_marlin_moe.py`, intermediate_cache13.
    """
    if kernel is Kernel.FUSED:
        return 0.0
    inner, wide = width_of_expert(run), moe.latent or run.shape.hidden
    tokens = min(arriving_tokens(run), _chunk(run))
    rows = tokens * moe.experts_per_token
    if kernel is Kernel.DEEP_GEMM:
        return run.model_width * _deep_gemm(run, moe, rows, tokens)
    if run.is_v0 or run.release < (0, 8):
        columns = 3 * inner + wide
    elif kernel is Kernel.MARLIN or not outlives_layer(run, kernel):
        columns = max(2 * inner, wide) + inner
    else:
        columns = max(inner, wide) + max(2 * inner, wide)
    return run.model_width * rows * columns


def _deep_gemm(run: Resolved, moe: Moe, rows: int, tokens: int) -> float:
    """Return elements: each expert's rows are rounded up; up to 0.12 the output had a buffer of its own where it did not fit."""
    inner, wide = width_of_expert(run), moe.latent or run.shape.hidden
    local = ceil(moe.experts / expert_ranks(run)) if run.expert_parallel else moe.experts
    padded = rows + local * (_ALIGNED - 1)
    if run.release >= (0, 13):
        return padded * (max(inner, wide) + max(2 * inner, wide))
    first, output = padded * 2 * inner, tokens * wide
    return first + padded * max(inner, wide) + (output if first < output else 0)


def expanded_rows(run: Resolved) -> float:
    """Return what CUTLASS may hold beside: NVFP4 experts get their inputs, and give their outputs, row by row once more.

    Which backend runs depends on version, card and flags, so this widens the range only.

    Source: vLLM 0.19 `layers/fused_moe/cutlass_moe.py`, run_cutlass_moe_fp4, shuffle_rows before and after.
    """
    moe, found = run.shape.moe, run.shape.quantization
    if moe is None or found is None or "nvfp4" not in f"{found.method} {found.algorithm}".lower():
        return 0.0
    if (generation_of(run.card) or 0) < BLACKWELL:
        return 0.0
    rows = run.model_width * arriving_tokens(run) * moe.experts_per_token
    return 2.0 * rows * (moe.latent or run.shape.hidden)


def left_by_repacking(run: Resolved) -> int:
    """Return how much larger the blocks may be that repacked experts get: up to 20 MiB for each of a layer's two tensors.

    Marlin packs them anew, and FlashInfer swaps their halves.

    Source: torch `CUDACachingAllocator.cpp`, get_free_block with max_split_size, which vLLM sets from 0.22 on; vLLM 0.31
    `quantization/utils/flashinfer_utils.py`, swap_w13_to_w31. Logs of gpt-oss-120b with 0.28 and of GLM-5.3-Flash with 0.31,
    both on 8 GPUs, print 1.35 and 0.86 GiB more than the tensors.
    """
    is_repacked = runs_marlin(run) or (run.shape.moe is not None and kernel_of(run) is Kernel.FLASHINFER)
    if run.release < (0, 22) or not is_repacked or has_expandable_segments(run.environment.items()):
        return 0
    layers = sum(count for layer, count in counts(run.shape.runs) if layer.mlp == "moe")
    return 2 * NEVER_SPLIT * layers // run.pipeline_parallel


def _chunk(run: Resolved) -> int:
    if run.release >= (0, 18):
        return arriving_tokens(run)
    return 16384 if run.release >= (0, 12) else 65536
