"""How experts without a gate are padded for FlashInfer's kernels."""

from __future__ import annotations

from bot.deployment import Gpu
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, generation_of
from bot.sizing.weights.tensors import Matrix, rounded_up

_STEP = 128
# By how they are stored: the first release that pads, and the first generation of cards that runs these kernels.
_PADDED = {"fp8_tensor": ((0, 17), HOPPER), "nvfp4": ((0, 13), BLACKWELL)}


def padded_schemes(card: Gpu | None, release: Release) -> frozenset[str]:
    """Return the ways of storing whose kernels want steps of 128 here; blocks, channels and Marlin do not.

    Source: vLLM 0.18 `layers/quantization/utils/flashinfer_utils.py`, prepare_fp8_moe_layer_for_fi; 0.13 `modelopt.py`,
    intermediate_size_pad.
    """
    if card is not None and card.vendor != "nvidia":
        return frozenset()
    generation = generation_of(card)
    return frozenset(
        name
        for name, (since, first) in _PADDED.items()
        if release >= since and (generation is None or generation >= first)
    )


def in_steps(matrix: Matrix) -> Matrix:
    """Return an expert's matrix of (inner, hidden) or (hidden, inner) elements with the inner width in steps of 128.

    Source: 59.91 GiB of Nemotron-3-Super-120B-A12B-FP8 on each of 2 H200 with 0.18: 1408 wide, as 1344 it takes 57.41.
    """
    if matrix.modules[0].endswith("down_proj"):
        return matrix._replace(inputs=rounded_up(matrix.inputs, _STEP))
    return matrix._replace(outputs=rounded_up(matrix.outputs, _STEP))
