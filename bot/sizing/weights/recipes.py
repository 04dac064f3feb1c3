"""What a quantized checkpoint leaves in 16 bits, or scales in blocks, when only its name is known."""

from __future__ import annotations

from typing import Any

from bot.catalog.suffixes import strip
from bot.deployment import Deployment
from bot.model_shape import LayerKind, ModelShape, Quantization

# Source: llm-compressor's examples for Qwen3-Next, Qwen3.5 and Llama 4 (NVFP4, W4A16, FP8) ignore them. Start-up logs of
# five such checkpoints agree to 0.01 GiB; NVIDIA's own lists leave DeltaNet in 16 or in 8 bits.
_DELTA_LAYERS = ("re:.*linear_attn.*",)
_ATTENTION = ("re:.*self_attn.*",)
# Source: `dynamic` of Qwen3.5-27B-GPTQ-Int4 and 122B-A10B; the files of the first have 30.2 GB, the second took 68.36 GiB.
_DELTA_AND_ATTENTION = ("re:.*attn.*", "re:.*shared_expert.*", "re:.*mtp.*")
_LLM_COMPRESSOR = frozenset({"redhatai", "nm-testing", "neuralmagic"})
# Source: its recipe of Qwen3-Next-80B, as who packs Qwen3-Coder-Next after it tells; cpatonn has the same names. No log
# names such a checkpoint; two of Qwen3-Next-80B and Qwen3.5-122B packed so, by whom is not said, are 0.1 and 0.035 GiB off.
_EXPERTS_IN_4_BITS = frozenset({"cyankiwi", "cpatonn"})
# Source: Meta packs the routed experts of Llama 4 alone; 48.87 GiB of Maverick on each of 8 GPUs are 0.002 from it.
_ALL_BUT_EXPERTS = (*_ATTENTION, r"re:.*mlp\.(?:shared_experts|gate_proj|up_proj|down_proj)")
_LATENT_EXPERTS = (("mlp.experts", "NVFP4"), ("mlp.shared_experts", "FP8"), ("linear_attn", "FP8"))


def as_made(quantization: Quantization | None, shape: ModelShape, model: str | None = None) -> Quantization | None:
    """Return the quantization with the list that its maker usually writes, where the checkpoint's own is not known.

    `model` is the checkpoint's name as it was given; the shape may be of the model that it was made from.
    """
    if quantization is None or quantization.excluded or quantization.mixed:
        return quantization
    facts = _recipe(_maker(shape, model), quantization, shape)
    return quantization.model_copy(update={**facts, "is_known": True}) if facts else quantization


def _maker(shape: ModelShape, model: str | None) -> str:
    """Return who made the checkpoint: a copy under the same name was made by whom the row names."""
    owner, _, name = shape.name.lower().rpartition("/")
    asked, _, base = (model or shape.name).lower().rpartition("/")
    is_row = base == name or (not asked and strip(name).quantization is not None)
    return owner if is_row else asked.rpartition("/")[2]


def _recipe(maker: str, quantization: Quantization, shape: ModelShape) -> dict[str, Any]:
    """Return what the maker's recipe says beside the name; nothing where none is known."""
    if maker == "nvidia" and "nemotron-3" in shape.name.lower():
        return _nemotron(quantization, shape)
    if quantization.is_known:
        return {}
    is_llama_4 = (shape.model_type or "").startswith("llama4")
    if maker in _LLM_COMPRESSOR and (leaves_room(quantization, shape) or is_llama_4):
        return {"method": "compressed-tensors", "excluded": _ATTENTION if is_llama_4 else _DELTA_LAYERS}
    if maker in _EXPERTS_IN_4_BITS and shape.moe is not None and leaves_room(quantization, shape):
        return {"excluded": _DELTA_AND_ATTENTION} if (quantization.bits or 16) <= 4 else {}
    if maker == "meta-llama" and is_llama_4:
        return {"method": "compressed-tensors", "excluded": _ALL_BUT_EXPERTS}
    return _qwen(quantization, shape) if maker == "qwen" else {}


def _qwen(quantization: Quantization, shape: ModelShape) -> dict[str, Any]:
    """All of Qwen's own FP8 is in blocks, from Qwen3 on."""
    if quantization.method == "fp8":
        return {"block": (128, 128)}
    is_left = quantization.method == "gptq" and leaves_room(quantization, shape)
    return {"excluded": _DELTA_AND_ATTENTION} if is_left else {}


def _nemotron(quantization: Quantization, shape: ModelShape) -> dict[str, Any]:
    """Nemotron 3 keeps attention in 16 bits; without latent experts also the Mamba layers that feed it, else the latents.

    Source: NVIDIA's reports on Nemotron 3 Nano (section 4), Super and Ultra; 30.52 GiB of Nano-30B-A3B-FP8 with 0.13,
    4.91 of Nano-4B-FP8.
    """
    name = f"{quantization.method} {quantization.algorithm}".lower()
    if "fp8" not in name and "fp4" not in name:
        return {}
    how = {"method": "modelopt", "algorithm": "NVFP4" if "fp4" in name else "FP8"}
    if shape.moe is None or not shape.moe.latent:
        feeding = ",".join(str(place) for place in _before_attention(shape))
        excluded = tuple(f"layers.{{{feeding}}}.linear_attn.{part}_proj" for part in ("in", "out"))
        return {**how, "excluded": (*_ATTENTION, *excluded)}
    if "fp4" in name:
        return {**how, "mixed": _LATENT_EXPERTS}
    return {**how, "excluded": (*_ATTENTION, "re:.*latent_proj")}


def _before_attention(shape: ModelShape) -> list[int]:
    kinds = [run.layer.kind for run in shape.runs for _ in range(run.count)]
    return [place for place, kind in enumerate(kinds[1:]) if kind is LayerKind.FULL]


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
    """Return whether the name alone is known of a packed checkpoint whose recipes differ: DeltaNet models."""
    is_told = quantization.is_known or quantization.excluded or quantization.mixed
    is_packed = quantization.method not in {"gguf", "bitsandbytes", "auto-round"} and (quantization.bits or 16) <= 8
    return not is_told and is_packed and any(layer.kind is LayerKind.GATED_DELTA for layer in shape.kinds)
