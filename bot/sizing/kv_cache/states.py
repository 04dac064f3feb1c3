"""What a Mamba, DeltaNet, KDA, linear-attention or short-convolution layer keeps for each sequence."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import LayerKind, LinearState


class StateWidths(NamedTuple):
    """Bytes of an element of the convolution state and of the recurrent state."""

    conv: int
    state: int


def state_bytes(
    kind: LayerKind, linear: LinearState, tensor_parallel: int, widths: StateWidths, spec_tokens: int
) -> int:
    """Return the bytes of one layer's state for one sequence on one GPU.

    Args:
        kind: One of the linear kinds; others keep no state.
        linear: The sizes, in elements.
        tensor_parallel: Ranks that share heads and channels.
        widths: Bytes of an element, by part.
        spec_tokens: Speculative tokens, each of which lengthens the convolution window by one.

    Source: vLLM 0.33 `model_executor/layers/mamba/mamba_utils.py`, MambaStateShapeCalculator.
    """
    if kind not in _SHAPES:
        return 0
    taps = linear.conv_kernel - 1 + (0 if kind is LayerKind.MAMBA1 else spec_tokens)
    channels, recurrent = _SHAPES[kind](linear, tensor_parallel)
    return channels // tensor_parallel * taps * widths.conv + recurrent // tensor_parallel * widths.state


def _mamba1(linear: LinearState, _tensor_parallel: int) -> tuple[int, int]:
    inner = linear.inner or 0
    return inner, inner * (linear.state or 0)


def _mamba2(linear: LinearState, tensor_parallel: int) -> tuple[int, int]:
    groups = linear.groups or 1
    if groups % tensor_parallel:
        groups = tensor_parallel  # groups are replicated so that every rank has one
    state = linear.state or 0
    heads, head_dim = linear.heads or 0, linear.head_dim or 0
    inner = linear.inner or heads * head_dim
    return inner + 2 * groups * state, heads * head_dim * state


def _gated_delta(linear: LinearState, _tensor_parallel: int) -> tuple[int, int]:
    keys = (linear.key_heads or 0) * (linear.key_head_dim or 0)
    values = (linear.value_heads or 0) * (linear.value_head_dim or 0)
    return 2 * keys + values, values * (linear.key_head_dim or 0)


def _linear(linear: LinearState, _tensor_parallel: int) -> tuple[int, int]:
    heads = linear.heads or linear.value_heads or linear.key_heads or 0
    head_dim = linear.head_dim or linear.value_head_dim or linear.key_head_dim or 0
    return 0, heads * head_dim * head_dim


def _short_conv(linear: LinearState, _tensor_parallel: int) -> tuple[int, int]:
    return linear.inner or 0, 0


_SHAPES = {
    LayerKind.MAMBA1: _mamba1,
    LayerKind.MAMBA2: _mamba2,
    LayerKind.GATED_DELTA: _gated_delta,
    LayerKind.KDA: _gated_delta,
    LayerKind.LINEAR: _linear,
    LayerKind.SHORT_CONV: _short_conv,
}

LINEAR_KINDS = frozenset(_SHAPES)
