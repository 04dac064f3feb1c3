"""The tables of cosines and sines that every GPU keeps."""

from __future__ import annotations

from bot.model_shape import LayerKind, ModelShape
from bot.sizing.weights.tensors import Plain

_WITHOUT = frozenset({LayerKind.NONE, LayerKind.MAMBA1, LayerKind.MAMBA2, LayerKind.SHORT_CONV, LayerKind.GATED_DELTA})


def rope_tables(shape: ModelShape, max_model_len: int | None = None) -> tuple[Plain, ...]:
    """Return one table for each rotary embedding the layers use; tables are shared between layers and replicated.

    Rows: `max_position`, × factor with linear and dynamic scaling, × 4 with multimodal positions, and
    `original × factor` with YaRN, a short and a long table with LongRoPE. A row holds the rotated part of one head, or with proportional scaling
    (Gemma 4) the whole head, its unrotated part as ones and zeros.

    Source: vLLM `layers/rotary_embedding/`; confirmed on Gemma 3, Gemma 4 and Qwen3-VL logs.
    """
    if shape.rope.kind == "none" or not shape.heads:
        return ()
    kinds = {layer.kind for layer in shape.kinds} - _WITHOUT
    if not kinds:
        return ()
    size = _rotated(shape)
    tables = [Plain(_rows(shape, max_model_len) * size)]
    if shape.rope.has_index_table:
        tables.append(tables[0])
    if shape.rope.has_local_table:
        local = int(shape.head_dim * shape.rope.local_rotary_share)
        tables.append(Plain((shape.max_position or 0) * local))
    return tuple(tables)


def _rotated(shape: ModelShape) -> int:
    if shape.mla:
        return shape.mla.qk_rope_head_dim
    share = 1.0 if shape.rope.kind == "proportional" else shape.rope.rotary_share
    sizes = [layer.head_dim for layer in shape.kinds if layer.kind is LayerKind.FULL and layer.head_dim]
    return int((sizes[0] if sizes else shape.head_dim) * share)


def _rows(shape: ModelShape, max_model_len: int | None) -> int:
    rope, longest = shape.rope, shape.max_position or max_model_len or 0
    factor = rope.factor or 1.0
    if rope.kind in {"linear", "dynamic"}:
        return int(longest * factor)
    if rope.kind in {"yarn", "deepseek_yarn"}:
        return int((rope.original or longest) * factor)
    if rope.kind in {"longrope", "su"}:
        return longest + (rope.original or 0)
    if rope.kind == "mrope" or _has_multimodal_positions(shape):
        return 4 * longest
    return longest


def _has_multimodal_positions(shape: ModelShape) -> bool:
    return (shape.model_type or "").startswith(("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_5"))
