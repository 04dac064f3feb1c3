"""The tensors of a model as one GPU holds them."""

from __future__ import annotations

from typing import NamedTuple


class Split(NamedTuple):
    """Over how many GPUs each part of a layer is cut."""

    tensor: int = 1
    expert: int = 1  # groups that hold different experts; 1 without expert parallelism
    expert_tensor: int = 1  # cuts through each expert
    extra_vocab: int = 0  # rows that LoRA adapters may add
    as_stored: bool = False  # count what the checkpoint holds, not what memory holds

    def heads(self, count: int) -> int:
        """Return one GPU's share of query heads."""
        return -(-count // self.tensor)

    def kv_heads(self, count: int) -> int:
        """Return one GPU's share of KV heads: they are copied where there are fewer than GPUs."""
        return max(1, -(-count // self.tensor)) if count else 0

    def part(self, size: int) -> int:
        """Return one GPU's share of a width."""
        return -(-size // self.tensor)


class Matrix(NamedTuple):
    """A linear layer's weight, which a quantization may pack.

    `modules` are the names in the checkpoint that make it up; `experts` copies are stacked into one tensor.
    """

    modules: tuple[str, ...]
    outputs: int
    inputs: int
    experts: int = 0
    bias: int = 0
    bias_width: float | None = None

    @property
    def elements(self) -> int:
        """The number of weights, without the bias."""
        return self.outputs * self.inputs * max(1, self.experts)


class Plain(NamedTuple):
    """A tensor that no quantization touches; `width` in bytes where it is not the model's data type."""

    elements: int
    width: float | None = None


Tensor = Matrix | Plain
Tensors = tuple[Tensor, ...]


def rounded_up(size: int, step: int) -> int:
    """Return the next multiple of `step`."""
    return -(-size // step) * step


def count(tensors: Tensors) -> int:
    """Return the number of parameters in these tensors."""
    total = 0
    for tensor in tensors:
        total += tensor.elements
        if isinstance(tensor, Matrix):
            total += tensor.bias * max(1, tensor.experts)
    return total
