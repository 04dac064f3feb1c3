"""What loading takes on AMD cards beside the tensors."""

from __future__ import annotations

from collections.abc import Iterable

from bot.deployment import Gpu
from bot.sizing.eras import Release
from bot.sizing.weights.quantized import Scheme
from bot.sizing.weights.tensors import Matrix, Tensor

_PADDED_FROM, _PAD = 512, 256  # rows of a multiple of so many bytes are lengthened by so many
_EXPERTS_PADDED = (((0, 8, 2), (0, 20)), ((0, 25), (0, 30)))  # between them a copy undoes it, after them another one
# Code and workspaces that the first kernels bring. Source: logs of 16-bit models print 0.12 and 0.17 GiB more than their
# tensors, one of FP8 by channel 0.20 more than tensors and mask.
_BROUGHT = 165 << 20
_OTHER_ZERO = ("MI300", "MI308", "MI325")  # their 8-bit floats have no negative zero


def padding_bytes(matrix: Matrix, scheme: Scheme, width: float, release: Release) -> int:
    """Return by how many bytes ROCm lengthens the rows of a matrix: 16-bit experts, and FP8 by block or by tensor.

    Source: vLLM 0.14 `layers/quantization/utils/fp8_utils.py`, _maybe_pad_fp8_weight, and
    `fused_moe/unquantized_fused_moe_method.py`, _maybe_pad_weight; 0.20 `fused_moe/oracle/unquantized.py`.
    """
    if matrix.experts:
        is_padded = scheme.name == "plain" and any(first <= release < end for first, end in _EXPERTS_PADDED)
    else:
        is_padded = scheme.name in {"fp8_tensor", "fp8_block"} and release >= (0, 8)
    row = round(matrix.inputs * (width if scheme.name == "plain" else 1))
    return matrix.outputs * max(1, matrix.experts) * _PAD if is_padded and row % _PADDED_FROM == 0 else 0


def taken_beside(tensors: Iterable[tuple[Tensor, Scheme]], card: Gpu | None, release: Release) -> int:
    """Return what "Model loading took" holds beside the tensors while it was what the card lost: up to 0.20.

    What the first kernels bring, and on cards whose 8-bit floats have no negative zero the mask that finds those of the
    largest FP8 matrix: a byte an element, which torch's cache keeps.

    Source: vLLM 0.14 `platforms/rocm.py`, get_current_memory_usage, and `layers/quantization/utils/w8a8_utils.py`,
    normalize_e4m3fn_to_e4m3fnuz; Llama-3.3-70B on one MI300X prints 131.62 GiB in 16 bits and 68.36 in FP8.
    """
    if card is None or card.vendor != "amd" or release >= (0, 21):
        return 0
    if not any(name in card.name for name in _OTHER_ZERO):
        return _BROUGHT
    return _BROUGHT + max((tensor.elements for tensor, scheme in tensors if scheme.name.startswith("fp8")), default=0)
