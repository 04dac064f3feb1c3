"""What a vision tower takes while vLLM profiles itself: pixels, encoder outputs and the tower's own peak."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing import constants
from bot.sizing.overhead.media import Item, has_growing_video, image_of, pads, video_of
from bot.sizing.overhead.tower_peak import tower_peak
from bot.sizing.ranges import Estimate, around, exact
from bot.sizing.resolved import Resolved
from bot.sizing.runners import uses_runner_v2


class EncoderPeak(NamedTuple):
    """What the images keep alive beside the language model, and what the tower needs while it runs."""

    alive: Estimate
    tower: Estimate


NOTHING = EncoderPeak(exact(0), exact(0))

_FIRST_IN_PROFILE = (0, 5, 1)


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
        return EncoderPeak(exact(0), around(whole, constants.ENCODER_CROSSED))
    pixels = 0 if uses_runner_v2(run) else items * item.pixels * item.pixel_width
    alive = pixels + _kept_tokens(item, items, run) * _token_bytes(run) * item.layers_out
    return EncoderPeak(around(alive, constants.ENCODER_KEPT), _tower(item, items, run))


def grows_with_length(run: Resolved) -> bool:
    """Return whether a longer max_model_len may take a longer video, or more images of the few requests, into the profile."""
    item = _item(run)
    if item is None or run.is_v0:
        return False
    return has_growing_video(run) or run.max_num_seqs < _items(item, run)


def _items(item: Item, run: Resolved) -> int:
    if run.is_v0:
        return profiled_sequences(run) * _in_prompt(run)
    return max(1, max(run.max_num_batched_tokens, item.budgeted) // item.budgeted)


def _kept_tokens(item: Item, items: int, run: Resolved) -> int:
    """Return the tokens of the encoder's outputs; 0.11 padded each to the budget, 0.12 to what it is counted as.

    Source: vLLM 0.11 and 0.12 `v1/worker/gpu_model_runner.py`, expanded_outputs; Qwen3-VL-30B on RTX 3090s kept
    153,600 tokens of 8,192 elements.
    """
    padded = max(run.max_num_batched_tokens, item.budgeted) if run.release < (0, 12) else item.budgeted
    if not pads(run) or item.tokens >= padded:
        return items * item.tokens
    return items * padded + item.tokens


def _token_bytes(run: Resolved) -> int:
    vision = run.shape.vision
    return 2 * ((vision.out_hidden if vision else None) or run.shape.hidden)


def _tower(item: Item, items: int, run: Resolved) -> Estimate:
    """Return the tower's own peak where its patches are known; V0 ran it in small batches only."""
    if not item.patches or (run.is_v0 and item.tokens * _in_prompt(run) <= run.max_num_batched_tokens):
        return exact(0)
    kept = (item.layers_out - 1) * items * item.tokens * _token_bytes(run)
    return tower_peak(run, items * item.patches, item.pixels // item.patches, kept)


def profiled_sequences(run: Resolved) -> int:
    """Return how many sequences the profile runs; V0 took no more than its batch holds of prompts full of the largest images.

    Source: vLLM 0.6.4 `worker/model_runner.py`, profile_run. `enc_dec_model_runner.py` takes max_num_seqs images.
    """
    item = _item(run)
    if item is None or not run.is_v0 or item.tower_bytes:
        return run.max_num_seqs
    return max(1, min(run.max_num_seqs, run.max_num_batched_tokens // (item.tokens * _in_prompt(run))))


def _in_prompt(run: Resolved) -> int:
    """Return the images of each prompt that V0 profiles: as many as it allows, one unless a flag says more.

    Source: vLLM 0.6.6 `multimodal/registry.py`, get_max_multimodal_tokens; 53,248 tokens of 16 images of InternVL3.
    """
    return max((run.deployment.multimodal_limits or {}).values(), default=1) or 1


def _item(run: Resolved) -> Item | None:
    """Return the largest item that is profiled with; None for text models, and where images are left out.

    Model runner V2 left the tower out of its profile until 0.27.
    """
    item = image_of(run)
    if item is None or run.release < _FIRST_IN_PROFILE or (item.tower_bytes and not run.is_v0) or is_switched_off(run):
        return None
    if uses_runner_v2(run) and run.release < (0, 27):
        return None
    return video_of(item, run) or item


def is_switched_off(run: Resolved) -> bool:
    """Return whether flags keep the tower out of the profile."""
    return bool(run.deployment.skip_mm_profiling or not _allows_images(run))


def takes_images(run: Resolved) -> bool:
    """Return whether requests may hold images, so that the model is handed embeddings and not tokens.

    Source: vLLM 0.27 `multimodal/registry.py`, supports_multimodal_inputs.
    """
    return run.shape.vision is not None and _allows_images(run)


def _allows_images(run: Resolved) -> bool:
    limits = run.deployment.multimodal_limits
    return not run.deployment.language_model_only and (not limits or any(limits.values()))


def _per_prompt(item: Item, run: Resolved) -> int:
    """Return how many items one request may have: as stated, and no more than fit its length."""
    limits = run.deployment.multimodal_limits or {}
    stated = max((count for count in limits.values() if count), default=999)
    return stated if run.is_v0 else max(1, min(stated, run.max_model_len // item.budgeted))
