"""How many bytes a linear layer takes in each way of storing it."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing.weights.tensors import Matrix, rounded_up

_TILE_ROWS, _TILE_COLUMNS = 128, 4  # NVFP4 scales are laid out in tiles
_WORD = 4  # bytes that integers are packed into


class Scheme(NamedTuple):
    """A way of storing weights; sizes in bits or elements."""

    name: str  # plain, fp8, fp8_tensor, fp8_block, int, nvfp4, mxfp4, mxfp8, bnb, gguf, flat
    bits: float = 16.0
    group: int = 0
    zero_points: bool = False
    act_order: bool = False
    block: tuple[int, int] = (0, 0)
    nested: bool = False
    expert_zeros: int = 0  # bytes of a word of zero points that experts keep, though all are alike


def stored(matrix: Matrix, scheme: Scheme) -> tuple[int, ...]:
    """Return the sizes in bytes of the tensors that a packed matrix becomes, its bias apart.

    Source: vLLM `layers/quantization/`, create_weights of each method, 0.19 and 0.33.
    """
    copies = max(1, matrix.experts)
    weight = -(-matrix.outputs * matrix.inputs * copies * round(scheme.bits * 1000) // 8000)
    build = _EXTRAS.get(scheme.name)
    extras = build(matrix, scheme) if build else ()
    return (weight, *(size * copies for size in extras))


def _per_channel(matrix: Matrix, _: Scheme) -> tuple[int, ...]:
    """A 32-bit scale for each output (8-bit formats)."""
    return (4 * matrix.outputs,)


def _per_tensor(_: Matrix, __: Scheme) -> tuple[int, ...]:
    """A 32-bit scale for each matrix."""
    return (4,)


def _per_block(matrix: Matrix, scheme: Scheme) -> tuple[int, ...]:
    rows, columns = scheme.block
    return (4 * -(-matrix.outputs // rows) * -(-matrix.inputs // columns),)


def _per_group(matrix: Matrix, scheme: Scheme) -> tuple[int, ...]:
    """GPTQ, AWQ and their kin: a 16-bit scale a group, zero points unless symmetric, an index if reordered."""
    groups = -(-matrix.inputs // scheme.group) if scheme.group else 1
    scales = 2 * groups * matrix.outputs
    word = _WORD if scheme.zero_points else scheme.expert_zeros * (matrix.experts > 0)
    zeros = int(groups * matrix.outputs * scheme.bits / 8 * word / _WORD)
    index = 4 * matrix.inputs if scheme.act_order else 0
    return tuple(size for size in (scales, zeros, index) if size)


def _nvfp4(matrix: Matrix, _: Scheme) -> tuple[int, ...]:
    """An 8-bit scale for 16 weights, padded to tiles of 128 × 4, and a 32-bit one for the tensor."""
    rows = rounded_up(matrix.outputs, _TILE_ROWS)
    groups = -(-matrix.inputs // 16)
    columns = rounded_up(groups, _TILE_COLUMNS)
    return (rows * columns, 4)


def _per_32(matrix: Matrix, _: Scheme) -> tuple[int, ...]:
    return (matrix.outputs * -(-matrix.inputs // 32),)


def _bitsandbytes(matrix: Matrix, scheme: Scheme) -> tuple[int, ...]:
    """A 32-bit maximum for 64 weights; a nested checkpoint keeps it in 8 bits, with a second level over 256."""
    blocks = -(-matrix.outputs * matrix.inputs // 64)
    return (blocks + 4 * -(-blocks // 256),) if scheme.nested else (4 * blocks,)


_EXTRAS = {
    "fp8": _per_channel,
    "fp8_tensor": _per_tensor,
    "fp8_block": _per_block,
    "int": _per_group,
    "nvfp4": _nvfp4,
    "mxfp4": _per_32,
    "mxfp8": _per_32,
    "bnb": _bitsandbytes,
}
"""What is stored beside the values, by the name of the scheme."""
