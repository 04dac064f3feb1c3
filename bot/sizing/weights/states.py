"""The weights of layers that keep a state instead of a KV cache, on one GPU."""

from __future__ import annotations

from bot.model_shape import LayerKind, LinearState, ModelShape
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensors

_NAME = "linear_attn"


def state_tensors(shape: ModelShape, kind: LayerKind, split: Split) -> Tensors:
    """Return the projections, convolution and decay of a layer of that kind."""
    state = shape.linear or LinearState()
    build = {
        LayerKind.GATED_DELTA: _gated_delta,
        LayerKind.KDA: _kimi_delta,
        LayerKind.MAMBA1: _mamba1,
        LayerKind.MAMBA2: _mamba2,
        LayerKind.SHORT_CONV: _short_convolution,
        LayerKind.LINEAR: _lightning,
    }.get(kind)
    return build(shape, state, split) if build else ()


def _gated_delta(shape: ModelShape, state: LinearState, split: Split) -> Tensors:
    """Source: vLLM `models/qwen3_next.py`, Qwen3NextGatedDeltaNet."""
    keys = split.part((state.key_heads or 0) * (state.key_head_dim or 0))
    values = split.part((state.value_heads or 0) * (state.value_head_dim or 0))
    heads = split.part(state.value_heads or 0)
    return (
        Matrix((f"{_NAME}.in_proj_qkv", f"{_NAME}.in_proj_z"), 2 * keys + 2 * values, shape.hidden),
        Matrix((f"{_NAME}.in_proj_b", f"{_NAME}.in_proj_a"), 2 * heads, shape.hidden),
        Plain((2 * keys + values) * state.conv_kernel),
        Plain(heads),
        Plain(heads, 4.0),
        Plain(state.value_head_dim or 0),
        Matrix((f"{_NAME}.out_proj",), shape.hidden, values),
    )


def _kimi_delta(shape: ModelShape, state: LinearState, split: Split) -> Tensors:
    """Source: vLLM `model_executor/layers/kda.py`, KimiDeltaAttention."""
    size = state.key_head_dim or 0
    wide = split.part((state.key_heads or 0) * size)
    heads = split.part(state.key_heads or 0)
    projections = tuple(Matrix((f"self_attn.{name}_proj",), wide, shape.hidden) for name in "qkv")
    return (
        *projections,
        *(Plain(wide * state.conv_kernel) for _ in "qkv"),
        *_low_rank_gate(shape, size, wide, "f"),
        *_low_rank_gate(shape, size, wide, "g"),
        Matrix(("self_attn.b_proj",), heads, shape.hidden),
        Plain(wide, 4.0),
        Plain(heads, 4.0),
        Plain(size),
        Matrix(("self_attn.o_proj",), shape.hidden, wide),
    )


def _low_rank_gate(shape: ModelShape, size: int, wide: int, name: str) -> Tensors:
    if shape.model_type == "bailing_hybrid":  # one whole matrix: vLLM 0.33 `models/bailing_moe_v3.py`, no_kda_lora
        return (Matrix((f"self_attn.{name}_proj",), wide, shape.hidden),)
    return (
        Matrix((f"self_attn.{name}_a_proj",), size, shape.hidden),
        Matrix((f"self_attn.{name}_b_proj",), wide, size),
    )


def _mamba1(shape: ModelShape, state: LinearState, split: Split) -> Tensors:
    """Source: vLLM `layers/mamba/mamba_mixer.py`, MambaMixer."""
    inner, size = split.part(state.inner or 2 * shape.hidden), state.state or 16
    rank = -(-shape.hidden // 16)
    norms = (Plain(rank + 2 * size),) if shape.model_type == "jamba" else ()
    return (
        Matrix(("mamba.in_proj",), 2 * inner, shape.hidden),
        Plain(inner * state.conv_kernel),
        Plain(inner),
        Matrix(("mamba.x_proj",), rank + 2 * size, inner),
        Matrix(("mamba.dt_proj",), inner, rank, bias=inner),
        Plain(inner * size, 4.0),
        Plain(inner),
        Matrix(("mamba.out_proj",), shape.hidden, inner),
        *norms,
    )


def _mamba2(shape: ModelShape, state: LinearState, split: Split) -> Tensors:
    """Groups that do not divide are copied. Source: vLLM `layers/mamba/mamba_mixer2.py`, MambaMixer2."""
    inner = split.part(state.inner or 0)
    groups = state.groups or 1
    local_groups = groups // split.tensor if groups % split.tensor == 0 else 1
    mixed = 2 * local_groups * (state.state or 0)
    heads = split.part(state.heads or 0)
    conv = inner + mixed
    return (
        Matrix((f"{_NAME}.in_proj",), inner + conv + heads, shape.hidden),
        Plain(conv * state.conv_kernel),
        Plain(conv),
        Plain(heads, 4.0),
        Plain(2 * heads),
        Plain(inner),
        Matrix((f"{_NAME}.out_proj",), shape.hidden, inner),
    )


def _short_convolution(shape: ModelShape, state: LinearState, split: Split) -> Tensors:
    """Source: vLLM `layers/mamba/short_conv.py`, ShortConv."""
    local = split.part(shape.hidden)
    return (
        Matrix(("conv.in_proj",), 3 * local, shape.hidden),
        Plain(local * state.conv_kernel),
        Matrix(("conv.out_proj",), shape.hidden, local),
    )


def _lightning(shape: ModelShape, state: LinearState, split: Split) -> Tensors:
    """Source: vLLM `models/minimax_text_01.py`, MiniMaxText01LinearAttention."""
    wide = split.part((state.heads or shape.heads) * (state.head_dim or shape.head_dim))
    modules = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")
    return (
        Matrix(modules, 3 * wide, shape.hidden),
        Matrix(("self_attn.output_gate",), wide, shape.hidden),
        Plain(wide),
        Matrix(("self_attn.o_proj",), shape.hidden, wide),
    )
