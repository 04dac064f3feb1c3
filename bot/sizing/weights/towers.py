"""The weights of a vision or audio tower, on one GPU."""

from __future__ import annotations

from bot.deployment import Deployment, ModelShape, Vision
from bot.sizing.weights.tensors import Plain, Split, Tensors


def tower_tensors(deployment: Deployment, shape: ModelShape, split: Split) -> Tensors:
    """Return the tower with its projector: cut like the language model, or whole on every GPU.

    Pixtral's tower is replicated whatever the flags; others are with `--mm-encoder-tp-mode data`.

    Source: vLLM `models/pixtral.py`, `models/vision.py`; confirmed on Mistral-Small-3.1 logs with 1, 2 and 4 GPUs.
    """
    vision = shape.vision
    if vision is None:
        return ()
    parameters = vision.parameters or parameters_of(vision, shape.hidden)
    whole = vision.is_replicated or deployment.encoder_tensor_parallel == "data"
    fixed = parameters if whole else min(parameters, _uncut(vision, shape.hidden))
    return (Plain(fixed + split.part(parameters - fixed)),)


def _uncut(vision: Vision, text_hidden: int) -> int:
    """Patches, positions and a one-matrix projector are whole on every GPU."""
    hidden, patch = vision.hidden or 0, vision.patch or 14
    positions = ((vision.image or 0) // patch) ** 2
    projector = text_hidden if positions else 0
    return hidden * (3 * patch**2 + positions + projector)


def parameters_of(vision: Vision, text_hidden: int) -> int:
    """Return about how many parameters a tower of these dimensions has: blocks, patches and a projector."""
    hidden, layers = vision.hidden or 0, vision.layers or 0
    block = 4 * hidden * hidden + 2 * hidden * (vision.intermediate or 4 * hidden)
    patches = 3 * (vision.patch or 14) ** 2 * hidden
    return layers * block + patches + hidden * text_hidden * 4
