"""What layers hold that multiply 8-bit inputs by 8-bit weights."""

from __future__ import annotations

from bot.sizing.generations import ADA
from bot.sizing.resolved import Resolved

_METHODS = frozenset({"fp8", "compressed-tensors", "modelopt", "fbgemm_fp8"})


def quantized_inputs(run: Resolved) -> float:
    """Return the bytes of the widest layer's inputs in 8 bits, which may be there beside those in 16.

    When they are made the others may be gone already, so this widens the range only.

    Source: vLLM 0.19 `quantization/kernels/scaled_mm/cutlass.py`, apply_weights. Mistral Small 3.1 in W8A8 peaks at 2.18
    GiB where the same in 16 bits peaks at 2.03; 0.25 GiB are its inputs.
    """
    if not _multiplies_eight_bits(run):
        return 0.0
    return run.max_num_batched_tokens * (run.shape.intermediate or 0) / run.tensor_parallel


def _multiplies_eight_bits(run: Resolved) -> bool:
    """Return whether inputs are packed too; where a card lacks FP8, Marlin unpacks the weights instead."""
    found, card = run.shape.quantization, run.card
    if found is None or found.bits != 8 or found.method not in _METHODS:
        return False
    if "int" in (found.algorithm or "").lower():
        return True
    return card is None or card.vendor != "nvidia" or (card.compute_capability or ADA) >= ADA
