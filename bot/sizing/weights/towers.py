"""The weights of a vision or audio tower, on one GPU."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.model_shape import ModelShape, Vision
from bot.sizing.weights.tensors import Plain, Split, Tensors

LARGEST_TOWER = 6_000_000_000  # InternViT-6B and its projector have 5.7 billion
_TIMES_ITS_SIZES = 4  # a projector, merging and gated blocks make a tower larger than its blocks; never this much

_MAKER = "mistralai"
_INTERN = ("internvl", "interns1")
_INTERN_SMALL = 1_000_000_000  # parameters between the two towers of InternVL
_INTERN_300M, _INTERN_6B = (1024, 24, 16), (3200, 45, 25)  # hidden, layers, heads


def tower_tensors(deployment: Deployment, shape: ModelShape, split: Split) -> Tensors:
    """Return the tower with its projector: cut like the language model, or whole on every GPU.

    Pixtral's tower is replicated in its maker's format whatever the flags; others are with `--mm-encoder-tp-mode data`.

    Source: vLLM `models/pixtral.py`, VisionTransformer and PixtralHFVisionModel, `models/vision.py`; confirmed on
    Mistral-Small-3.1 logs with 1, 2 and 4 GPUs, and 12.11 GiB of its w8a8 on each of 2 with 0.19.
    """
    vision = shape.vision
    if vision is None:
        return ()
    parameters = tower_parameters(shape)
    is_whole = vision.is_replicated and _is_in_makers_format(deployment)
    whole = is_whole or deployment.encoder_tensor_parallel == "data"
    fixed = parameters if whole else min(parameters, _uncut(vision, shape, split.tensor))
    return (Plain(fixed + split.part(parameters - fixed)),)


def _is_in_makers_format(deployment: Deployment) -> bool:
    """Return whether it loads Mistral's own format: a checkpoint that somebody else made has that of the hub."""
    owner, slash, _ = (deployment.model or "").rpartition("/")
    return not slash or owner.lower() == _MAKER or deployment.load_format == "mistral"


def tower_parameters(shape: ModelShape) -> int:
    """Return how many parameters tower and projector have together; 0 for a text model.

    A count beside the language model may hold more than a tower, lookup tables above all. A count too large for one is
    taken by the tower's sizes, or as none where they are unknown: `other_parameters` has the rest.
    """
    vision = shape.vision
    if vision is None:
        return 0
    drawn = parameters_of(vision, shape.hidden) if vision.hidden and vision.layers else None
    counted = vision.parameters or parameters_of(vision, shape.hidden)
    if counted <= (LARGEST_TOWER if drawn is None else _TIMES_ITS_SIZES * drawn):
        return counted
    return drawn or 0


def other_parameters(shape: ModelShape) -> int:
    """Return the parameters beside the layers that are no tower: they stay when the tower is left out."""
    counted = shape.vision.parameters if shape.vision else None
    return max(0, counted - tower_parameters(shape)) if counted else 0


def other_tensors(shape: ModelShape, split: Split) -> Tensors:
    """Return what stands beside layers and tower, cut over the GPUs."""
    others = other_parameters(shape)
    return (Plain(split.part(others)),) if others else ()


def _uncut(vision: Vision, shape: ModelShape, ranks: int) -> int:
    """Patches, positions and a one-matrix projector are whole on every GPU, and what InternVL does not cut."""
    if (shape.model_type or "").startswith(_INTERN):
        return _uncut_intern(vision, shape, ranks)
    hidden, patch = vision.hidden or 0, vision.patch or 14
    positions = ((vision.image or 0) // patch) ** 2
    projector = shape.hidden if positions else 0
    return hidden * (3 * patch**2 + positions + projector)


def _uncut_intern(vision: Vision, shape: ModelShape, ranks: int) -> int:
    """InternVL's projector is whole, its attention too where the heads cannot be dealt out: 25 of them on 2 or more GPUs.

    Source: vLLM 0.6.6 `models/intern_vit.py`, _init_attn, and `internvl.py`, _init_mlp1; 0.19 `interns1_vit.py` never
    cuts attention. InternVL3-78B printed 21.67 GiB on each of 8 L40S with 0.6.6.
    """
    hidden, layers, heads = _INTERN_6B if (vision.parameters or 0) > _INTERN_SMALL else _INTERN_300M
    cuts_attention = shape.model_type == "internvl_chat" and heads % ranks == 0
    attention = 0 if cuts_attention else 4 * hidden * hidden * layers
    projector = shape.hidden * (4 * hidden + shape.hidden)
    return attention + projector + hidden * (3 * 14**2 + 1025)


def parameters_of(vision: Vision, text_hidden: int) -> int:
    """Return about how many parameters a tower of these dimensions has: blocks, patches and a projector."""
    hidden, layers = vision.hidden or 0, vision.layers or 0
    block = 4 * hidden * hidden + 2 * hidden * (vision.intermediate or 4 * hidden)
    patches = 3 * (vision.patch or 14) ** 2 * hidden
    return layers * block + patches + hidden * text_hidden * 4
