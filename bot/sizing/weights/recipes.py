"""What a quantized checkpoint leaves in 16 bits when only its name is known."""

from __future__ import annotations

from bot.deployment import Deployment, LayerKind, ModelShape, Quantization

# Source: llm-compressor's examples for Qwen3-Next and Qwen3.5 (NVFP4, W4A16, FP8) ignore them, and a start-up log of
# such an NVFP4 checkpoint agrees to 0.01 GiB. NVIDIA's own lists leave them in 16 or in 8 bits.
_DELTA_LAYERS = ("re:.*linear_attn.*",)
_FOLLOW_THE_EXAMPLES = frozenset({"redhatai", "nm-testing", "neuralmagic"})  # the makers of llm-compressor


def as_made(quantization: Quantization | None, shape: ModelShape) -> Quantization | None:
    """Return the quantization with the list that its maker usually writes, where the checkpoint's own is not known."""
    maker = shape.name.partition("/")[0].lower()
    if quantization is None or maker not in _FOLLOW_THE_EXAMPLES or not leaves_room(quantization, shape):
        return quantization
    return quantization.model_copy(update={"excluded": _DELTA_LAYERS})


def alternatives(deployment: Deployment, quantization: Quantization | None) -> tuple[Deployment, ...]:
    """Return the deployment with either recipe: DeltaNet layers packed, or left in 16 bits; none where it is known."""
    shape = deployment.shape
    if shape is None or quantization is None or not leaves_room(quantization, shape):
        return ()
    lists = ((), _DELTA_LAYERS)
    recipes = (quantization.model_copy(update={"excluded": excluded, "is_known": True}) for excluded in lists)
    return tuple(
        deployment.model_copy(update={"shape": shape.model_copy(update={"quantization": recipe})}) for recipe in recipes
    )


def leaves_room(quantization: Quantization, shape: ModelShape) -> bool:
    """Return whether the name alone is known of a packed checkpoint whose recipes differ: DeltaNet models in few bits."""
    is_told = quantization.is_known or quantization.excluded or quantization.mixed
    is_packed = quantization.method not in {"gguf", "bitsandbytes", "auto-round"} and (quantization.bits or 16) < 8
    return not is_told and is_packed and any(run.layer.kind is LayerKind.GATED_DELTA for run in shape.runs)
