"""What a vision tower takes while vLLM profiles itself: pixels, encoder outputs and the tower's own peak."""

from __future__ import annotations

from typing import NamedTuple

from bot.deployment import Vision
from bot.sizing.ranges import Estimate, exact
from bot.sizing.resolved import Resolved


class Item(NamedTuple):
    """The largest image of a family."""

    tokens: int
    pixels: int  # numbers in its pixel tensor, all channels and tiles together
    pixel_width: int = 2  # bytes of each
    patches: int = 0  # what the tower attends over; only where the tower may set the peak
    layers_out: int = 1  # outputs of several layers are handed on (Qwen3-VL's deepstack)
    tower_bytes: int = 0  # of each token, in the tower alone; where the decoder attends to the images


class EncoderPeak(NamedTuple):
    """What the images keep alive beside the language model, and what the tower needs while it runs."""

    alive: Estimate
    tower: Estimate


NOTHING = EncoderPeak(exact(0), exact(0))

_QWEN_PATCHES = 65_536  # 16,384 tokens of 2 × 2 patches
_FIRST_IN_PROFILE = (0, 5, 1)
# Mllama: five layers' outputs listed and stacked, the last one's twice, and all joined: 18 widths of 1,280 in 16 bits.
_MLLAMA_TOWER = 18 * 1280 * 2
_QWEN3_TOWER = Vision(hidden=1152, intermediate=4304, layers=27, patch=16)


def _square(side: int, tokens: int, tiles: int = 1) -> Item:
    return Item(tokens, 3 * side * side * tiles)


def _qwen(patch: int, layers_out: int = 1) -> Item:
    return Item(16_384, _QWEN_PATCHES * 3 * 2 * patch * patch, patches=_QWEN_PATCHES, layers_out=layers_out)


# By model_type. Sources: the families' image processors; Gemma 3, Mistral Small 3.1 and Kimi-VL measured on logs.
_ITEMS: dict[str, Item] = {
    "gemma3": _square(896, 256),
    "gemma3n": _square(768, 256),
    "gemma4": _square(800, 280),
    "gemma4_unified": _square(800, 280),
    "mistral3": _square(1540, 3025),
    "ministral3": _square(1540, 3025),
    "pixtral": _square(1024, 4160),
    "kimi_vl": Item(1024, 4096 * 3 * 14 * 14, pixel_width=4),
    "kimi_k25": Item(4096, 16_384 * 3 * 14 * 14, pixel_width=4),
    "llava": _square(336, 576),
    "llava_next": _square(336, 2880, tiles=5),
    "llava_onevision": _square(384, 7290, tiles=10),
    "llama4": _square(336, 2465, tiles=17),
    "mllama": Item(6404, 4 * 3 * 560 * 560, tower_bytes=_MLLAMA_TOWER),
    "internvl_chat": _square(448, 3328, tiles=13),
    "internvl": _square(448, 3328, tiles=13),
    "interns1": _square(448, 3328, tiles=13),
    "cohere2_vision": _square(512, 3328, tiles=13),
    "qwen2_vl": _qwen(14),
    "qwen2_5_vl": _qwen(14),
    "qwen2_5_omni": _qwen(14),
    "qwen3_vl": _qwen(16, layers_out=4),
    "qwen3_vl_moe": _qwen(16, layers_out=4),
    "qwen3_omni_moe": _qwen(16, layers_out=4),
    "qwen3_5": _qwen(16),
    "qwen3_5_moe": _qwen(16),
    "qwen4_exp": _qwen(16),
}


def encoder_peak(run: Resolved) -> EncoderPeak:
    """Return what profiling with the largest images adds.

    items × (pixels + tokens × 2 × hidden) stay alive while the language model is profiled, with as many items
    as fit the encoder's budget of tokens. Where one image is larger than the batch (Qwen-VL), the tower itself
    may set the peak: patches × 2 × (2 × intermediate + 2 × hidden + pixels of a patch).

    Source: measured on logs of Gemma 3, Mistral Small 3.1 and Kimi-VL; vLLM 0.19 `v1/worker/gpu_model_runner.py`.
    """
    item = _item(run)
    if item is None:
        return NOTHING
    items = (
        profiled_sequences(run) if run.is_v0 else max(1, max(run.max_num_batched_tokens, item.tokens) // item.tokens)
    )
    items = min(items, run.max_num_seqs * _per_prompt(run))
    vision = run.shape.vision
    if item.tower_bytes:
        whole = items * (item.pixels * item.pixel_width + item.tokens * item.tower_bytes)
        return EncoderPeak(exact(0), Estimate(whole, round(whole * 0.8), round(whole * 1.15)))
    wide = (vision.out_hidden if vision else None) or run.shape.hidden
    alive = items * (item.pixels * item.pixel_width + item.tokens * 2 * wide * item.layers_out)
    return EncoderPeak(
        Estimate(alive, round(alive * 0.8), round(alive * 1.25)),
        _tower(vision or _QWEN3_TOWER, item, run) if item.tokens > run.max_num_batched_tokens else exact(0),
    )


def profiled_sequences(run: Resolved) -> int:
    """Return how many sequences the profile runs; V0 took no more than its batch holds of the largest image.

    Source: vLLM 0.6.4 `worker/model_runner.py`, profile_run. `enc_dec_model_runner.py` takes max_num_seqs images.
    """
    item = _item(run)
    if item is None or not run.is_v0 or item.tower_bytes:
        return run.max_num_seqs
    return max(1, min(run.max_num_seqs, run.max_num_batched_tokens // item.tokens))


def _item(run: Resolved) -> Item | None:
    """Return the largest image that is profiled with; None for text models, and where images are left out."""
    item = _ITEMS.get(run.shape.model_type or "")
    is_text = item is None or run.release < _FIRST_IN_PROFILE or (item.tower_bytes and not run.is_v0)
    return None if is_text or is_switched_off(run) else item


def is_switched_off(run: Resolved) -> bool:
    """Return whether flags keep the tower out of the profile."""
    limits = run.deployment.multimodal_limits
    none_allowed = bool(limits) and not any(limits.values())
    return bool(run.deployment.language_model_only or run.deployment.skip_mm_profiling or none_allowed)


def _per_prompt(run: Resolved) -> int:
    limits = run.deployment.multimodal_limits or {}
    return max((count for count in limits.values() if count), default=999)


def _tower(vision: Vision, item: Item, run: Resolved) -> Estimate:
    """Return the tower's own peak; heads and MLP are split over the ranks, or every rank holds all (the upper end)."""
    inner, wide = vision.intermediate or 0, vision.hidden or 0
    pixels = item.pixels // max(1, item.patches)
    whole = item.patches * 2 * (2 * inner + 2 * wide + pixels)
    split = item.patches * 2 * (2 * inner // run.tensor_parallel + 2 * wide + pixels)
    is_whole = run.deployment.encoder_tensor_parallel == "data"
    return Estimate(whole if is_whole else split, round(split * 0.8), round(whole * 1.15))
