"""Which kernel multiplies the experts, by version, card and how their weights are stored."""

from __future__ import annotations

from enum import StrEnum

from bot.model_shape import Quantization
from bot.sizing.generations import ADA, BLACKWELL, HOPPER, WORKSTATION, likely_generation
from bot.sizing.resolved import Resolved
from bot.sizing.weights.recipes import as_made

_FOUR_BIT_INTEGERS = frozenset({"awq", "awq_marlin", "gptq", "gptq_marlin", "auto-round", "moe_wna16"})
_DEEP_GEMM_WIDTH = 512  # narrower experts went to Triton on Hopper until 0.11.1 let DeepGEMM have all


class Kernel(StrEnum):
    """The families that differ in what they allocate."""

    TRITON = "Triton"
    CUTLASS = "CUTLASS"
    DEEP_GEMM = "DeepGEMM"
    FLASHINFER = "FlashInfer"
    MARLIN = "Marlin"
    FUSED = "fused"  # gpt-oss: nothing between the products


def kernel_of(run: Resolved) -> Kernel:
    """Return the kernel that vLLM picks unless somebody asks for another.

    Source: vLLM `layers/quantization/fp8.py` and `compressed_tensors/compressed_tensors_moe.py` up to 0.13;
    `layers/fused_moe/oracle/fp8.py`, `nvfp4.py` and `unquantized.py` of 0.14 to 0.33.
    """
    if runs_marlin(run):
        return Kernel.MARLIN
    if run.shape.model_type == "gpt_oss":
        return Kernel.FUSED
    if _generation(run) < HOPPER:
        return Kernel.TRITON
    found = as_made(run.shape.quantization, run.shape, run.deployment.model)
    return _unquantized(run) if found is None else _quantized(run, found)


def _quantized(run: Resolved, found: Quantization) -> Kernel:
    if "nvfp4" in f"{found.method} {found.algorithm}".lower():
        return Kernel.FLASHINFER if run.release >= (0, 16) else Kernel.CUTLASS
    is_data_center = _generation(run) < WORKSTATION
    if found.block:
        return _block_fp8(run) if is_data_center else Kernel.TRITON
    if found.method == "compressed-tensors" or not found.is_known:  # a name that ends in FP8 is mostly llm-compressor's
        return Kernel.CUTLASS if run.release >= (0, 10) and is_data_center else Kernel.TRITON
    return Kernel.FLASHINFER if found.method == "modelopt" and run.release >= (0, 15) else Kernel.TRITON


def _unquantized(run: Resolved) -> Kernel:
    """FlashInfer came first from 0.20 on; on Hopper it was slower, and Triton is back since 0.24."""
    if run.release < (0, 20) or run.data_parallel > 1:
        return Kernel.TRITON
    return Kernel.TRITON if _is_hopper(run) and run.release >= (0, 24) else Kernel.FLASHINFER


def _block_fp8(run: Resolved) -> Kernel:
    """Return the kernel of experts with a scale for each block: DeepGEMM from 0.11 to 0.14, FlashInfer or Triton after."""
    is_wanted = run.environment.get("VLLM_MOE_USE_DEEP_GEMM", run.environment.get("VLLM_USE_DEEP_GEMM"))
    if is_wanted == "0":
        return Kernel.TRITON
    if run.release < (0, 15) or is_wanted == "1":
        return Kernel.DEEP_GEMM if is_wanted == "1" or _prefers_deep_gemm(run) else Kernel.TRITON
    if not _is_hopper(run) or run.release < (0, 17) or run.expert_parallel:
        return Kernel.FLASHINFER
    return Kernel.TRITON


def _prefers_deep_gemm(run: Resolved) -> bool:
    if run.release >= (0, 13):
        return run.expert_parallel or run.tensor_parallel < 8
    if run.release >= (0, 11, 1) or not _is_hopper(run):
        return run.release >= (0, 11)
    return run.release >= (0, 11) and width_of_expert(run) > _DEEP_GEMM_WIDTH


def width_of_expert(run: Resolved) -> float:
    """Return the columns of one expert's inner layer on one GPU."""
    moe = run.shape.moe
    assert moe is not None
    return moe.intermediate if run.expert_parallel else moe.intermediate / expert_ranks(run)


def expert_ranks(run: Resolved) -> int:
    """Return the GPUs that share the experts: those of all replicas, by experts or by columns.

    Source: vLLM `layers/fused_moe/config.py`, flatten_tp_across_dp.
    """
    return run.tensor_parallel * run.data_parallel


def outlives_layer(run: Resolved, kernel: Kernel) -> bool:
    """Return whether the kernel's buffers stay once a layer is done, because a modular kernel keeps them for all layers.

    CUTLASS and DeepGEMM from 0.11 on, the others from 0.14; Marlin of 4-bit integers from 0.22.

    Source: vLLM 0.11 `layers/fused_moe/modular_kernel.py`, SharedResizableBuffer; from 0.13 `v1/worker/workspace.py`.
    """
    if run.is_v0 or kernel in {Kernel.FUSED, Kernel.FLASHINFER}:
        return False
    if kernel in {Kernel.CUTLASS, Kernel.DEEP_GEMM}:
        return run.release >= (0, 11)
    found = run.shape.quantization
    if kernel is Kernel.MARLIN and found is not None and is_four_bits(found):
        return run.release >= (0, 22)
    return run.release >= (0, 14)


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
        native = HOPPER if "mxfp4" in name else BLACKWELL
        return capability is not None and (capability < native or ("mxfp4" in name and capability >= WORKSTATION))
    if "fp8" in name:
        return capability is not None and capability < ADA
    return is_four_bits(found)


def is_four_bits(found: Quantization) -> bool:
    """Return whether weights are 4-bit integers."""
    return found.method in _FOUR_BIT_INTEGERS or (found.method == "compressed-tensors" and (found.bits or 16) <= 4)


def _is_hopper(run: Resolved) -> bool:
    return _generation(run) == HOPPER


def _generation(run: Resolved) -> int:
    return likely_generation(run.card, run.deployment.gpu_memory) or 0
