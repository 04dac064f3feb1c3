"""What a vision tower takes while vLLM profiles itself: pixels, encoder outputs and the tower's own peak."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing.overhead.tower_peak import tower_peak
from bot.sizing.ranges import Estimate, exact
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2


class Item(NamedTuple):
    """The largest image or video of a family."""

    tokens: int
    pixels: int  # numbers in its pixel tensor, all channels and tiles together
    pixel_width: int = 2  # bytes of each
    patches: int = 0  # what the tower attends over; only where the tower may set the peak
    layers_out: int = 1  # outputs of several layers are handed on (Qwen3-VL's deepstack)
    tower_bytes: int = 0  # of each token, in the tower alone; where the decoder attends to the images
    counted: int = 0  # tokens that the encoder's budget counts, where the tower gives others

    @property
    def budgeted(self) -> int:
        """The tokens that the encoder's budget counts."""
        return self.counted or self.tokens


class EncoderPeak(NamedTuple):
    """What the images keep alive beside the language model, and what the tower needs while it runs."""

    alive: Estimate
    tower: Estimate


NOTHING = EncoderPeak(exact(0), exact(0))

_QWEN_PATCHES = 65_536  # 16,384 tokens of 2 × 2 patches
_FIRST_IN_PROFILE = (0, 5, 1)
# Mllama: five layers' outputs listed and stacked, the last one's twice, and all joined: 18 widths of 1,280 in 16 bits.
_MLLAMA_TOWER = 18 * 1280 * 2
_FRAMES = 7  # pairs of frames of Qwen2-VL's longest video
_TIMED = 12.5  # tokens that 0.11 and 0.12 counted for one of a Qwen3-VL video, time stamps included


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

# Tokens that a pair of frames really gives, where the budget counts those of an image; Omni's processor shrinks videos.
_FRAMED = {"qwen2_vl": 16_384, "qwen2_5_vl": 16_384, "qwen2_5_omni": 768}
_STAMPED = frozenset({"qwen3_vl", "qwen3_vl_moe"})
_QWEN3_VIDEO = 12_288


def encoder_peak(run: Resolved) -> EncoderPeak:
    """Return what profiling with the largest images or videos adds.

    items × (pixels + tokens × 2 × hidden) stay alive while the language model is profiled, with as many items
    as fit the encoder's budget of tokens. Before that the tower itself may set the peak (Qwen-VL).

    Source: vLLM `v1/worker/gpu_model_runner.py`, profile_run, 0.8 to 0.33, and `v1/worker/gpu/mm/encoder_runner.py`;
    measured on logs of Gemma 3, Mistral Small 3.1, Kimi-VL and Qwen3-VL.
    """
    item = _item(run)
    if item is None:
        return NOTHING
    items = min(_items(item, run), run.max_num_seqs * _per_prompt(item, run))
    if item.tower_bytes:
        whole = items * (item.pixels * item.pixel_width + item.tokens * item.tower_bytes)
        return EncoderPeak(exact(0), Estimate(whole, round(whole * 0.8), round(whole * 1.15)))
    pixels = 0 if uses_runner_v2(run) else items * item.pixels * item.pixel_width
    alive = pixels + _kept_tokens(item, items, run) * _token_bytes(run) * item.layers_out
    return EncoderPeak(Estimate(alive, round(alive * 0.8), round(alive * 1.25)), _tower(item, items, run))


def grows_with_length(run: Resolved) -> bool:
    """Return whether a longer max_model_len may take a longer video, or more images of the few requests, into the profile."""
    item = _item(run)
    if item is None or run.is_v0:
        return False
    return run.shape.model_type in _FRAMED or run.max_num_seqs < _items(item, run)


def _items(item: Item, run: Resolved) -> int:
    if run.is_v0:
        return profiled_sequences(run)
    return max(1, max(run.max_num_batched_tokens, item.budgeted) // item.budgeted)


def _kept_tokens(item: Item, items: int, run: Resolved) -> int:
    """Return the tokens of the encoder's outputs; 0.11 padded each to the budget, 0.12 to what it is counted as.

    Source: vLLM 0.11 and 0.12 `v1/worker/gpu_model_runner.py`, expanded_outputs; Qwen3-VL-30B on RTX 3090s kept
    153,600 tokens of 8,192 elements.
    """
    padded = max(run.max_num_batched_tokens, item.budgeted) if run.release < (0, 12) else item.budgeted
    if not _pads(run) or item.tokens >= padded:
        return items * item.tokens
    return items * padded + item.tokens


def _pads(run: Resolved) -> bool:
    """Return whether this is a release of the few that padded; a version that nobody stated is taken for another."""
    return run.version_is_stated and (0, 11) <= run.release < (0, 13)


def _token_bytes(run: Resolved) -> int:
    vision = run.shape.vision
    return 2 * ((vision.out_hidden if vision else None) or run.shape.hidden)


def _tower(item: Item, items: int, run: Resolved) -> Estimate:
    """Return the tower's own peak where its patches are known; V0 ran it in small batches only."""
    if not item.patches or (run.is_v0 and item.tokens <= run.max_num_batched_tokens):
        return exact(0)
    kept = (item.layers_out - 1) * items * item.tokens * _token_bytes(run)
    return tower_peak(run, items * item.patches, item.pixels // item.patches, kept)


def profiled_sequences(run: Resolved) -> int:
    """Return how many sequences the profile runs; V0 took no more than its batch holds of the largest image.

    Source: vLLM 0.6.4 `worker/model_runner.py`, profile_run. `enc_dec_model_runner.py` takes max_num_seqs images.
    """
    item = _item(run)
    if item is None or not run.is_v0 or item.tower_bytes:
        return run.max_num_seqs
    return max(1, min(run.max_num_seqs, run.max_num_batched_tokens // item.tokens))


def _item(run: Resolved) -> Item | None:
    """Return the largest item that is profiled with; None for text models, and where images are left out.

    Model runner V2 left the tower out of its profile until 0.27.
    """
    item = _ITEMS.get(run.shape.model_type or "")
    if item is None or run.release < _FIRST_IN_PROFILE or (item.tower_bytes and not run.is_v0) or is_switched_off(run):
        return None
    if uses_runner_v2(run) and run.release < (0, 27):
        return None
    return _video(item, run) or item


def _video(image: Item, run: Resolved) -> Item | None:
    """Return Qwen's longest video where it is counted as more tokens than the largest image.

    Qwen2-VL's has as many pairs of frames as fit max_model_len, 7 at most; up to 0.10 the profile ran with what fits
    the batch. Qwen3-VL's has 12,288 tokens, which 0.11 and 0.12 counted 12.5 times.

    Source: vLLM `models/qwen2_vl.py` and `qwen3_vl.py`, get_num_frames_with_most_features and get_max_video_tokens;
    budgets of 98,304 tokens in logs of 0.8, 153,600 of 0.11, 114,688 of 0.23 and 32,768 of Qwen2.5-Omni.
    """
    limits = run.deployment.multimodal_limits or {}
    if run.is_v0 or limits.get("video") == 0:
        return None
    pair = _FRAMED.get(run.shape.model_type or "")
    if pair is not None:
        room = run.max_model_len - (image.tokens if run.release < (0, 10, 2) else 0)
        pairs = min(_FRAMES, room // image.tokens)
        made = max(1, min(_FRAMES, run.max_num_batched_tokens // image.tokens)) if run.release < (0, 11) else pairs
        return _of_tokens(image, made * pair)._replace(counted=pairs * image.tokens) if pairs > 1 else None
    if run.shape.model_type in _STAMPED and _pads(run):
        return _of_tokens(image, _QWEN3_VIDEO)._replace(counted=round(_QWEN3_VIDEO * _TIMED))
    return None


def _of_tokens(item: Item, tokens: int) -> Item:
    return item._replace(
        tokens=tokens, pixels=item.pixels * tokens // item.tokens, patches=item.patches * tokens // item.tokens
    )


def is_switched_off(run: Resolved) -> bool:
    """Return whether flags keep the tower out of the profile."""
    limits = run.deployment.multimodal_limits
    none_allowed = bool(limits) and not any(limits.values())
    return bool(run.deployment.language_model_only or run.deployment.skip_mm_profiling or none_allowed)


def _per_prompt(item: Item, run: Resolved) -> int:
    """Return how many items one request may have: as stated, and no more than fit its length."""
    limits = run.deployment.multimodal_limits or {}
    stated = max((count for count in limits.values() if count), default=999)
    return stated if run.is_v0 else max(1, min(stated, run.max_model_len // item.budgeted))
