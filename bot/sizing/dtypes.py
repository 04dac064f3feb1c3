"""Which data type a model runs in when nobody says."""

from __future__ import annotations

from bot.deployment import Gpu, ModelShape
from bot.sizing.eras import Release

_FLOAT32 = {"float32", "float", "fp32"}


def default(shape: ModelShape, release: Release, card: Gpu | None) -> tuple[str, str]:
    """Return the dtype that "auto" stands for, and why.

    A float32 checkpoint is served in 16 bits; from 0.9 in bfloat16 where the card has it. A card without
    bfloat16 takes float16 from 0.9 on, and is refused before.

    Source: vLLM `config/model.py`, _resolve_auto_dtype.
    """
    named = (shape.dtype or "bfloat16").removeprefix("torch.").lower()
    has_bf16 = has_bfloat16(card) is not False
    if named in _FLOAT32:
        wanted = "bfloat16" if release >= (0, 9) and has_bf16 else "float16"
        return wanted, "a float32 checkpoint is served in 16 bits"
    if named in {"bfloat16", "bf16"} and not has_bf16 and release >= (0, 9):
        return "float16", "this card has no bfloat16"
    return named, "the checkpoint's dtype" if shape.dtype else "most checkpoints are bfloat16"


def has_bfloat16(card: Gpu | None) -> bool | None:
    """Return whether the card computes in bfloat16; None when that is unknown."""
    if card is None:
        return None
    if card.has_bf16 is not None:
        return card.has_bf16
    return None if card.compute_capability is None else card.compute_capability >= 8
