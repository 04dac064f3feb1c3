"""How MXFP4 experts are padded by the kernel that will run them."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Gpu
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, generation_of
from bot.sizing.weights.tensors import Matrix, rounded_up


class Padding(NamedTuple):
    """What a kernel rounds the sizes of an expert up to."""

    name: str
    inner: int = 1
    hidden: int = 1
    values_inner: int = 1  # of the values alone, scales not
    bias_width: float = 2.0


_TRITON = Padding("Triton", inner=64, values_inner=256, bias_width=4.0)
_MARLIN = Padding("Marlin", inner=128, hidden=256)
_TRTLLM = Padding("TRT-LLM", inner=256, hidden=256, bias_width=4.0)


def padding_of(card: Gpu | None, release: Release) -> Padding:
    """Return the padding of the kernel that this card and version choose.

    Blackwell data-center cards run TRT-LLM or CUTLASS kernels, Hopper Triton's from 0.11 on, all others Marlin.

    Source: vLLM `layers/quantization/mxfp4.py`; confirmed on gpt-oss-120b logs of H100 (64.38 and 65.97 GiB).
    """
    generation = generation_of(card)
    if card and card.vendor == "amd":
        return _TRITON
    if generation == BLACKWELL:
        return _TRTLLM
    if generation is None or generation == HOPPER:
        return _TRITON if release >= (0, 11) else _MARLIN
    return _MARLIN


def padded(matrix: Matrix, padding: Padding) -> tuple[int, ...]:
    """Return the sizes in bytes of an expert matrix's values, scales and bias, padded.

    Expert matrices are (2 × inner, hidden) and (hidden, inner); both sides are rounded up for the kernel.
    """
    is_down = matrix.modules[0].endswith("down_proj")
    outputs, inputs = (matrix.outputs, matrix.inputs)
    hidden, inner = (outputs, inputs) if is_down else (inputs, outputs // 2)
    hidden = rounded_up(hidden, padding.hidden)
    inner = rounded_up(inner, padding.inner)
    both = hidden * inner * (1 if is_down else 2) * matrix.experts
    grown = rounded_up(inner, padding.values_inner) / inner
    bias = int((hidden if is_down else 2 * inner) * matrix.experts * padding.bias_width) if matrix.bias else 0
    return (int(both * grown) // 2, both // 32, bias)
