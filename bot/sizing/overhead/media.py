"""The largest image and the longest video of each family, as vLLM profiles itself with them."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing.resolved import Resolved


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


_QWEN_PATCHES = 65_536  # 16,384 tokens of 2 × 2 patches
# Mllama: five layers' outputs listed and stacked, the last one's twice, and all joined: 18 widths of 1,280 in 16 bits.
_MLLAMA_TOWER = 18 * 1280 * 2
_FRAMES = 7  # pairs of frames of Qwen2-VL's longest video
_TILE_TOKENS = 256
_TIMED = 12.5  # tokens that 0.11 and 0.12 counted for one of a Qwen3-VL video, time stamps included


def _square(side: int, tokens: int, tiles: int = 1) -> Item:
    return Item(tokens, 3 * side * side * tiles)


def _qwen(patch: int, layers_out: int = 1) -> Item:
    return Item(16_384, _QWEN_PATCHES * 3 * 2 * patch * patch, patches=_QWEN_PATCHES, layers_out=layers_out)


def _tiles(count: int) -> Item:
    """InternVL's tiles of 448 × 448 pixels and 1,025 patches."""
    return Item(_TILE_TOKENS * count, 3 * 448 * 448 * count, patches=1025 * count)


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
    "internvl_chat": _tiles(13),
    "internvl": _tiles(13),
    "interns1": _tiles(13),
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
_TILED = frozenset({"internvl_chat", "internvl", "interns1"})
_FRAME_COUNTED = 262  # tokens of one of InternVL's frames with the text that numbers it
_SEES_VIDEO = 150_000  # rows of the vocabularies that have a token for videos: Qwen's and gpt-oss'
_STAMPED = frozenset({"qwen3_vl", "qwen3_vl_moe"})  # count time stamps in 0.11 and 0.12
_QWEN3_VIDEO = 12_288
# 32 frames of 70 tokens, 9 patches each, and 8 more that are only counted. Source: vLLM `models/gemma4_mm.py`.
_GEMMA4_VIDEO = Item(32 * 70, 32 * 70 * 9 * 3 * 16 * 16, counted=32 * 78)
_VIDEOS = {"gemma4": _GEMMA4_VIDEO, "gemma4_unified": _GEMMA4_VIDEO}


def image_of(run: Resolved) -> Item | None:
    """Return the largest image; None for text models."""
    return _ITEMS.get(run.shape.model_type or "")


def has_growing_video(run: Resolved) -> bool:
    """Return whether the longest video grows with max_model_len."""
    return run.shape.model_type in {*_FRAMED, *_TILED}


def pads(run: Resolved) -> bool:
    """Return whether this is a release of the few that padded; a version that nobody stated is taken for another."""
    return run.version_is_stated and (0, 11) <= run.release < (0, 13)


def video_of(image: Item, run: Resolved) -> Item | None:
    """Return the family's longest video where it is counted as more tokens than the largest image."""
    limits = run.deployment.multimodal_limits or {}
    if run.is_v0 or limits.get("video") == 0:
        return None
    model_type = run.shape.model_type or ""
    if model_type in _FRAMED:
        found = _framed(image, _FRAMED[model_type], run)
    elif model_type in _TILED:
        found = _tiled(run)
    elif model_type in _STAMPED and pads(run):
        found = _of_tokens(image, _QWEN3_VIDEO)._replace(counted=round(_QWEN3_VIDEO * _TIMED))
    else:
        found = _VIDEOS.get(model_type)
    return found if found is not None and found.budgeted > image.tokens else None


def _framed(image: Item, pair: int, run: Resolved) -> Item:
    """Qwen2-VL's has as many pairs of frames as fit max_model_len, 7 at most, each counted as an image.

    Up to 0.10 the profile ran with what fits the batch.

    Source: vLLM `models/qwen2_vl.py`, get_num_frames_with_most_features; budgets of 98,304 tokens in logs of 0.8,
    32,768 of Qwen2.5-Omni with 0.10 and 114,688 of 0.23.
    """
    room = run.max_model_len - (image.tokens if run.release < (0, 10, 2) else 0)
    pairs = min(_FRAMES, room // image.tokens)
    made = max(1, min(_FRAMES, run.max_num_batched_tokens // image.tokens)) if run.release < (0, 11) else pairs
    return _of_tokens(image, made * pair)._replace(counted=pairs * image.tokens)


def _tiled(run: Resolved) -> Item | None:
    """InternVL's has as many frames of one tile as fit max_model_len, where its language model has a token for them.

    Source: vLLM `models/internvl.py` and `interns1.py`, get_num_frames_with_most_features, from 0.9; a budget of 28,511
    tokens with 28,000 in a log of 0.11.
    """
    if run.shape.vocab < _SEES_VIDEO or run.release < (0, 9):
        return None
    frames = run.max_model_len // _TILE_TOKENS
    made = run.max_num_batched_tokens // _TILE_TOKENS if run.release < (0, 11) else frames
    return _tiles(max(1, made))._replace(counted=frames * _FRAME_COUNTED)


def _of_tokens(item: Item, tokens: int) -> Item:
    return item._replace(
        tokens=tokens, pixels=item.pixels * tokens // item.tokens, patches=item.patches * tokens // item.tokens
    )
