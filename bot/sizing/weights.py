"""The weights that one GPU holds, as "Model loading took" counts them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bot.catalog.suffixes import from_flag
from bot.deployment import Deployment, Gpu, Layer, ModelShape, Quantization
from bot.sizing import dtypes
from bot.sizing.allocator import counted
from bot.sizing.eras import LATEST, Release, release_of
from bot.sizing.excluded import about_layers
from bot.sizing.extra_weights import lora_bytes, speculative_tensors
from bot.sizing.layer_weights import embedding_tensors, head_tensors, layer_tensors
from bot.sizing.mxfp4 import padded, padding_of
from bot.sizing.quantized import stored
from bot.sizing.rope_table import rope_tables
from bot.sizing.schemes import base_scheme, scheme_of
from bot.sizing.stages import stage_sizes
from bot.sizing.tensors import WIDTHS, Matrix, Plain, Split, Tensor, Tensors
from bot.sizing.tower_weights import tower_tensors
from bot.units import Bytes


class Setting(NamedTuple):
    """What decides the bytes of a tensor besides its shape."""

    quantization: Quantization | None
    width: float  # bytes of the model's data type
    release: Release
    card: Gpu | None


def weights_per_gpu(deployment: Deployment) -> Bytes:
    """Return the weights of the fullest GPU.

    Raises:
        ValueError: The model's shape is unknown.
    """
    stages = deployment.pipeline_parallel or 1
    return max(weights_of_stage(deployment, stage) for stage in range(stages))


def weights_of_stage(deployment: Deployment, stage: int) -> Bytes:
    """Return the weights of one GPU of a pipeline stage: its layers, and the ends of the model where it has them.

    Formula: Σ over tensors of counted(bytes), with LoRA slots and a speculator's weights on the last stage.

    Raises:
        ValueError: The model's shape is unknown.

    Source: vLLM `v1/worker/gpu_model_runner.py`, load_model (DeviceMemoryProfiler); 0.7 to 0.33.
    """
    shape = deployment.shape
    if shape is None:
        raise ValueError("the weights of an unknown model cannot be sized; name the model or paste its config.json")
    setting = setting_of(deployment, shape)
    split = split_of(deployment)
    stages = deployment.pipeline_parallel or 1
    if shape.checkpoint_bytes and _trusts_checkpoint(shape, setting):
        return shape.checkpoint_bytes * (1 / (split.tensor * stages))
    total = sum(
        _layer_bytes(shape, place, setting, split) for place in _layers_of(shape, stage, stages, setting.release)
    )
    ends = _ends(deployment, shape, split, is_first=stage == 0, is_last=stage == stages - 1)
    total += _bytes_of(ends, None, setting)
    if stage == stages - 1:
        total += lora_bytes(deployment, shape, split, setting.width)
        total += _bytes_of(speculative_tensors(deployment, shape, split), None, setting)
    return Bytes(total)


def setting_of(deployment: Deployment, shape: ModelShape) -> Setting:
    """Return the quantization, data type, version and card that the tensors are stored for."""
    release = release_of(deployment.vllm_version or LATEST)
    named = (deployment.dtype or "auto").removeprefix("torch.").lower()
    if named not in WIDTHS:
        named, _ = dtypes.default(shape, release, deployment.card)
    return Setting(quantization_of(deployment, shape), WIDTHS.get(named, 2.0), release, deployment.card)


def quantization_of(deployment: Deployment, shape: ModelShape) -> Quantization | None:
    """Return how the weights are stored: as the checkpoint has them, else as `--quantization` makes them."""
    if shape.quantization or not deployment.quantization:
        return shape.quantization
    return _from_words(deployment.quantization)


@lru_cache(maxsize=128)
def _from_words(words: str) -> Quantization | None:
    for word in words.replace("(", " ").replace(")", " ").replace(",", " ").split():
        if found := from_flag(word):
            return found
    return None


def split_of(deployment: Deployment) -> Split:
    """Return over how many GPUs each part of a layer is cut."""
    tensor, data = deployment.tensor_parallel or 1, deployment.data_parallel or 1
    if deployment.expert_parallel:
        return Split(tensor, expert=tensor * data, expert_tensor=1)
    return Split(tensor, expert=1, expert_tensor=tensor * data)


def _trusts_checkpoint(shape: ModelShape, setting: Setting) -> bool:
    """A repository smaller than the formula stores more than it tells, so its size is the better figure."""
    return (
        not shape.checkpoint_is_exact and shape.quantization is not None and setting.quantization is shape.quantization
    )


def _layers_of(shape: ModelShape, stage: int, stages: int, release: Release) -> range:
    sizes = stage_sizes(shape.layers, stages, release)
    first = sum(sizes[:stage])
    return range(first, first + sizes[stage])


def _layer_bytes(shape: ModelShape, place: int, setting: Setting, split: Split) -> int:
    layer = _layer_at(shape)[place]
    quantization = setting.quantization
    tells_layers = bool(quantization) and _tells_layers(quantization)
    return _bytes_of_layer(shape, layer, place if tells_layers else None, setting, split)


@lru_cache(maxsize=512)
def _layer_at(shape: ModelShape) -> tuple[Layer, ...]:
    return tuple(run.layer for run in shape.runs for _ in range(run.count))


@lru_cache(maxsize=512)
def _tells_layers(quantization: Quantization) -> bool:
    return about_layers((*quantization.excluded, *(name for name, _ in quantization.mixed)))


@lru_cache(maxsize=4096)
def _bytes_of_layer(shape: ModelShape, layer: Layer, place: int | None, setting: Setting, split: Split) -> int:
    return _bytes_of(layer_tensors(shape, layer, split), place, setting)


def _bytes_of(tensors: Tensors, place: int | None, setting: Setting) -> int:
    return sum(counted(size, setting.release) for tensor in tensors for size in sizes_of(tensor, place, setting))


def sizes_of(tensor: Tensor, place: int | None, setting: Setting) -> tuple[int, ...]:
    """Return the sizes in bytes of what one tensor becomes in memory."""
    if isinstance(tensor, Plain):
        return (int(tensor.elements * (tensor.width or setting.width)),)
    bias = int(tensor.bias * max(1, tensor.experts) * (tensor.bias_width or setting.width))
    if setting.quantization is None:
        return (int(tensor.elements * setting.width), bias)
    scheme = scheme_of(setting.quantization, tensor, place, setting.release)
    if scheme.name == "plain":
        return (int(tensor.elements * setting.width), bias)
    if scheme.name == "mxfp4" and tensor.experts and setting.quantization.method == "mxfp4":
        return padded(tensor, padding_of(setting.card, setting.release))
    return (*stored(tensor, scheme), bias)


def _ends(deployment: Deployment, shape: ModelShape, split: Split, *, is_first: bool, is_last: bool) -> Tensors:
    """The embedding on the first stage, norm and output matrix on the last, rotary tables on all."""
    tensors: list[Tensor] = list(rope_tables(shape, deployment.max_model_len))
    tied_elsewhere = bool(shape.tied_embeddings) and is_last and not is_first
    if is_first or tied_elsewhere:
        tensors += _embedding(shape, split, setting_of(deployment, shape))
    if is_last:
        tensors += head_tensors(shape, split, holds_embedding=is_first or tied_elsewhere)
    if is_first and not deployment.language_model_only:
        tensors += tower_tensors(deployment, shape, split)
    return tuple(tensors)


def _embedding(shape: ModelShape, split: Split, setting: Setting) -> Tensors:
    """GGUF files quantize the embedding as well."""
    tensors = embedding_tensors(shape, split)
    if setting.quantization is None or setting.quantization.method != "gguf":
        return tensors
    bits = base_scheme(setting.quantization, setting.release).bits
    return tuple(Plain(t.elements, bits / 8) if isinstance(t, Plain) and t.elements > 2**20 else t for t in tensors)


__all__ = ["Matrix", "quantization_of", "setting_of", "split_of", "weights_of_stage", "weights_per_gpu"]
