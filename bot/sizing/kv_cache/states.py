"""What a Mamba, DeltaNet, KDA, linear-attention or short-convolution layer keeps for each sequence."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Gpu
from bot.model_shape import LayerKind, LinearState, ModelShape
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, WORKSTATION, generation_of

_CHECKPOINTS_FROM: dict[str, Release] = {
    "KimiK3": (0, 29),
    "Glm5Next": (0, 32),
    "Qwen3_5": (0, 33),
    "Qwen3Next": (0, 33),
}
"""The release from which a family's delta rule writes checkpoints, by the beginning of its architecture's name."""


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


def own_dtype(kind: LayerKind, linear: LinearState, model_type: str | None, release: Release) -> str | None:
    """Return the recurrent state's dtype where no flag sets it; None where it is the convolution's.

    Nemotron's config is heeded from 0.13 on, with a dtype of the release's where it names none.

    Source: vLLM 0.13 and 0.20 `models/config.py`, NemotronHForCausalLMConfig; 0.33 `mamba_utils.py`, kda_state_dtype.
    """
    if kind is LayerKind.KDA:
        return linear.state_dtype or "float32"
    if model_type != "nemotron_h":
        return linear.state_dtype
    if release < (0, 13):
        return None
    return linear.state_dtype or ("float32" if release >= (0, 20) else "float16")


def exports_checkpoint(kind: LayerKind, shape: ModelShape, release: Release, card: Gpu | None) -> bool:
    """Return whether the layer writes a state from inside a prefill, for which prefix caching keeps one block more.

    Mamba 2 does everywhere, delta rules in their fast kernels only (Hopper, Blackwell).

    Source: vLLM 0.33 `layers/mamba/mamba_mixer2.py`, `gdn/qwen_gdn_linear_attn.py`, `models/glm5next/common/kda.py`
    and, from 0.29, `models/kimi_k3/nvidia/kda.py`, num_prefill_checkpoint_blocks.
    """
    if kind is LayerKind.MAMBA2:
        return release >= (0, 32)
    since = next(
        (since for name, since in _CHECKPOINTS_FROM.items() if (shape.architecture or "").startswith(name)), None
    )
    is_fast = generation_of(card) in _FAST_CARDS
    return kind in _DELTA_RULES and is_fast and since is not None and release >= since


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
_DELTA_RULES = frozenset({LayerKind.GATED_DELTA, LayerKind.KDA})
_FAST_CARDS = frozenset({HOPPER, BLACKWELL, WORKSTATION})
