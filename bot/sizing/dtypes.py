"""Which data type a model runs in when nobody says."""

from __future__ import annotations

from bot.deployment import Gpu
from bot.model_shape import ModelShape
from bot.sizing.eras import Release
from bot.sizing.generations import AMPERE

_FLOAT32 = frozenset({"float32", "float", "fp32"})
_BFLOAT16 = frozenset({"bfloat16", "bf16"})
_FLOAT16 = frozenset({"float16", "half", "fp16"})
WIDTHS = dict.fromkeys(_FLOAT32, 4) | dict.fromkeys(_BFLOAT16 | _FLOAT16, 2)
"""Bytes of an element of each data type that a model may run in."""
_SPOILT_BY_FLOAT16 = frozenset({"gemma2", "gemma3", "gemma3_text", "glm4", "plamo2"})


def default(shape: ModelShape, release: Release, card: Gpu | None) -> tuple[str, str]:
    """Return the dtype that "auto" stands for, and why.

    A float32 checkpoint is served in 16 bits, up to 0.9.0 in float16, then in the first that card and model have. A card
    without bfloat16 takes float16 from 0.9 on, and is refused before; models that float16 spoils take float32 there.

    Source: vLLM `config.py` of 0.8.5 and 0.9.0, _get_and_verify_dtype; `config/model.py`, _resolve_auto_dtype, from 0.9.1.
    """
    named = (shape.dtype or "bfloat16").removeprefix("torch.").lower()
    has_bf16 = has_bfloat16(card) is not False
    if release >= (0, 9, 1):
        return _first_of(_taken(shape, release, has_bf16=has_bf16), named, shape)
    if named in _FLOAT32:
        return "float16", "a float32 checkpoint is served in 16 bits"
    if named in _BFLOAT16 and not has_bf16 and release >= (0, 9):
        return "float16", "this card has no bfloat16"
    return named, _named_by(shape)


def _taken(shape: ModelShape, release: Release, *, has_bf16: bool) -> tuple[str, ...]:
    """Return the types that card and model both have, the best first."""
    spoilt = _SPOILT_BY_FLOAT16 if release >= (0, 10, 2) else _SPOILT_BY_FLOAT16 - {"gemma3_text"}
    halves = ("bfloat16",) * has_bf16 + ("float16",) * (shape.model_type not in spoilt)
    return (*halves, "float32")


def _first_of(taken: tuple[str, ...], named: str, shape: ModelShape) -> tuple[str, str]:
    is_pooling = not shape.wiring.has_lm_head and "float16" in taken
    best = "float16" if is_pooling else taken[0]
    if named in _FLOAT32:
        return best, "a float32 checkpoint is served in the card's best type"
    plain = {"bf16": "bfloat16", "half": "float16", "fp16": "float16"}.get(named, named)
    if plain in taken:
        return named, _named_by(shape)
    return best, "float16 spoils this model" if best == "bfloat16" else "this card has no bfloat16"


def _named_by(shape: ModelShape) -> str:
    return "the checkpoint's dtype" if shape.dtype else "most checkpoints are bfloat16"


def has_bfloat16(card: Gpu | None) -> bool | None:
    """Return whether the card computes in bfloat16; None when that is unknown."""
    if card is None:
        return None
    if card.has_bf16 is not None:
        return card.has_bf16
    return None if card.compute_capability is None else card.compute_capability >= AMPERE
