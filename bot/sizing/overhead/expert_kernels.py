"""What the kernels of an expert layer hold for one batch."""

from __future__ import annotations

from bot.deployment import Quantization
from bot.sizing.resolved import Resolved
from bot.sizing.weights.allocator import has_expandable_segments

LARGER_BLOCK = 20 << 20
FP8_ARITHMETIC, FP4_ARITHMETIC = 8.9, 10.0  # compute capabilities from which Marlin is not needed
_FOUR_BIT_INTEGERS = frozenset({"awq", "awq_marlin", "gptq", "gptq_marlin", "auto-round", "moe_wna16"})


def expert_workspace(run: Resolved) -> float:
    """Return the bytes of the expert kernels' buffers: (batched tokens × experts per token, …).

    Triton's two hold the larger of its products and its outputs each; Marlin's share one for both, beside one as
    wide as an expert. gpt-oss on Hopper and data-center Blackwell runs fused kernels that need none. Tokens came in
    chunks of 64 Ki up to 0.11 and 16 Ki up to 0.17.

    Source: vLLM 0.19 `layers/fused_moe/modular_kernel.py` and `fused_marlin_moe.py`, intermediate_cache13.
    """
    moe = run.shape.moe
    if moe is None:
        return 0.0
    inner = moe.intermediate if run.expert_parallel else moe.intermediate / run.tensor_parallel
    wide = moe.latent or run.shape.hidden
    tokens = min(run.max_num_batched_tokens, _chunk(run))
    rows = run.model_width * tokens * moe.experts_per_token
    if runs_marlin(run):
        return rows * (max(2 * inner, wide) + inner)
    if run.shape.model_type == "gpt_oss":
        return 0.0
    return rows * (max(inner, wide) + max(2 * inner, wide))


def expanded_rows(run: Resolved) -> float:
    """Return what CUTLASS may hold beside: NVFP4 experts get their inputs, and give their outputs, row by row once more.

    Which backend runs depends on version, card and flags, so this widens the range only.

    Source: vLLM 0.19 `layers/fused_moe/cutlass_moe.py`, run_cutlass_moe_fp4, shuffle_rows before and after.
    """
    moe, found, card = run.shape.moe, run.shape.quantization, run.card
    if moe is None or found is None or "nvfp4" not in f"{found.method} {found.algorithm}".lower():
        return 0.0
    if card is None or (card.compute_capability or 0) < FP4_ARITHMETIC:
        return 0.0
    rows = run.model_width * run.max_num_batched_tokens * moe.experts_per_token
    return 2.0 * rows * (moe.latent or run.shape.hidden)


def runs_marlin(run: Resolved) -> bool:
    """Return whether experts are unpacked by Marlin: 4-bit integers always, floats where the card cannot multiply them.

    Source: vLLM `layers/quantization/compressed_tensors/compressed_tensors_moe.py`, `fp8.py`, `mxfp4.py`.
    """
    found, card = run.shape.quantization, run.card
    capability = card.compute_capability if card else None
    if found is None or (card is not None and card.vendor != "nvidia"):
        return False
    name = f"{found.method} {found.algorithm}".lower()
    if "fp4" in name:
        native = 9.0 if "mxfp4" in name else FP4_ARITHMETIC
        return capability is not None and (capability < native or ("mxfp4" in name and capability >= 12))
    if "fp8" in name:
        return capability is not None and capability < FP8_ARITHMETIC
    return _is_four_bits(found)


def left_by_repacking(run: Resolved) -> int:
    """Return how much larger the blocks may be that repacked experts get: up to 20 MiB for each of a layer's two tensors.

    Source: torch `CUDACachingAllocator.cpp`, get_free_block with max_split_size, which vLLM sets from 0.21 on; a log
    of gpt-oss-120b on 8 GPUs with 0.28 prints 1.35 GiB more than its tensors.
    """
    if run.release < (0, 21) or not runs_marlin(run) or has_expandable_segments(run.environment.items()):
        return 0
    layers = sum(found.count for found in run.shape.runs if found.layer.mlp == "moe")
    return 2 * LARGER_BLOCK * layers // run.pipeline_parallel


def _is_four_bits(found: Quantization) -> bool:
    return found.method in _FOUR_BIT_INTEGERS or (found.method == "compressed-tensors" and (found.bits or 16) <= 4)


def _chunk(run: Resolved) -> int:
    if run.release >= (0, 18):
        return run.max_num_batched_tokens
    return 16384 if run.release >= (0, 12) else 65536
