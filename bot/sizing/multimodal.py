"""What a vision tower takes while vLLM profiles itself: pixels, encoder outputs and the tower's own peak."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Vision
from bot.sizing.ranges import Estimate, exact
from bot.sizing.resolved import Resolved

QWEN_VL_TOKENS = 16384  # the largest image of the Qwen-VL family, in tokens
QWEN_VL_PATCHES = 4 * QWEN_VL_TOKENS
DEEPSTACK_OUTPUTS = 4  # Qwen3-VL gives the outputs of three more layers besides the last


class Item(NamedTuple):
    """The largest item of the widest modality."""

    tokens: int
    pixel_bytes: int
    patches: int


def encoder_peak(run: Resolved) -> Estimate:
    """Return what the dummy images add to the peak: they stay alive while the language model is profiled.

    items × (pixels + tokens × 2 × hidden), with as many items as fit the encoder's budget of tokens. Where one
    image is larger than the batch (Qwen-VL), the tower itself sets the peak.

    Source: measured on logs of Gemma 3, Mistral Small 3.1 and Kimi-VL; vLLM 0.19 `v1/worker/gpu_model_runner.py`.
    """
    vision = run.shape.vision
    if vision is None or is_switched_off(run) or run.is_v0:
        return exact(0)
    item = largest_item(vision, run.shape.model_type or "")
    if item is None:
        return exact(0)
    items = max(1, max(run.max_num_batched_tokens, item.tokens) // item.tokens)
    items = min(items, run.max_num_seqs * _per_prompt(run))
    width = vision.out_hidden or run.shape.hidden
    outputs = item.tokens * 2 * width * (DEEPSTACK_OUTPUTS if _has_deepstack(run) else 1)
    alive = items * (item.pixel_bytes + outputs)
    tower = _tower(vision, item) if item.tokens > run.max_num_batched_tokens else 0
    return Estimate(alive + tower, round(alive * 0.85 + tower * 0.5), round(alive * 1.2 + tower * 1.5))


def is_switched_off(run: Resolved) -> bool:
    """Return whether flags keep the tower out of the profile."""
    limits = run.deployment.multimodal_limits
    none_allowed = limits is not None and bool(limits) and not any(limits.values())
    return bool(run.deployment.language_model_only or run.deployment.skip_mm_profiling or none_allowed)


def largest_item(vision: Vision, model_type: str) -> Item | None:
    """Return the largest image, in tokens, bytes of pixels (fp16, three channels) and patches; None if unknown."""
    if model_type.startswith(("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_5", "qwen3_6", "qwen3_8")):
        patch = vision.patch or 14
        return Item(QWEN_VL_TOKENS, QWEN_VL_PATCHES * 3 * 2 * patch * patch * 2, QWEN_VL_PATCHES)
    if vision.tokens_per_item is None:
        return None
    side = vision.image or 0
    patches = (side // vision.patch) ** 2 if vision.patch else 0
    return Item(vision.tokens_per_item, 3 * side * side * 2, patches)


def _per_prompt(run: Resolved) -> int:
    limits = run.deployment.multimodal_limits or {}
    return max((count for count in limits.values() if count), default=999)


def _has_deepstack(run: Resolved) -> bool:
    return (run.shape.model_type or "").startswith("qwen3_vl")


def _tower(vision: Vision, item: Item) -> int:
    """Return the tower's own peak: one layer's MLP, two copies of its hidden state and the pixels of the patches."""
    if not vision.intermediate or not vision.hidden:
        return 0
    pixels = item.pixel_bytes // (2 * max(1, item.patches))
    return item.patches * 2 * (2 * vision.intermediate + 2 * vision.hidden + pixels)
