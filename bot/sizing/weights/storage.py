"""In how many bytes the tensors of a deployment are stored: its quantization, data type, version and card."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bot.catalog.suffixes import from_flag
from bot.deployment import Deployment
from bot.model_shape import ModelShape, Quantization
from bot.sizing import dtypes
from bot.sizing.eras import LAST_V0_BY_DEFAULT, LATEST, Release, release_of
from bot.sizing.weights.allocator import counted, has_expandable_segments, rests_of
from bot.sizing.weights.excluded import layers_named
from bot.sizing.weights.mxfp4 import Padding, padded, padding_of
from bot.sizing.weights.quantized import Scheme, stored
from bot.sizing.weights.recipes import as_made
from bot.sizing.weights.rocm import padding_bytes
from bot.sizing.weights.schemes import PLAIN, base_scheme, keeps_zero_points, scheme_of
from bot.sizing.weights.tensors import Matrix, Plain, Tensor, Tensors
from bot.sizing.weights.ungated_experts import in_steps, padded_schemes


class Weighed(NamedTuple):
    """What tensors take, in bytes, and the rests of blocks that the allocator holds beside them."""

    tensors: int
    rests: int


def together(found: Iterable[Weighed]) -> Weighed:
    """Return what several take together."""
    return Weighed(*map(sum, zip(*found, strict=True)))


class Storage(NamedTuple):
    """What decides the bytes of a tensor besides its shape."""

    quantization: Quantization | None
    base: Scheme  # the quantization's usual way of storing a linear layer
    width: float  # bytes of the model's data type
    release: Release
    padding: Padding  # of MXFP4 experts
    named: tuple[frozenset[int], ...] = ()  # sets of layers that the exclude list singles out
    is_expandable: bool = False  # torch's allocator cuts its blocks anywhere
    stepped: frozenset[str] = frozenset()  # the schemes in which experts are padded
    is_rocm: bool = False

    def signature(self, layer: int) -> tuple[bool, ...]:
        """Return what tells this layer from others of its kind: layers with one signature are stored alike."""
        return tuple(layer in numbers for numbers in self.named)


def storage_of(deployment: Deployment, shape: ModelShape) -> Storage:
    """Return how the deployment stores this model's tensors."""
    release = release_in(deployment)
    quantization = quantization_of(deployment, shape)
    base = base_scheme(quantization, release) if quantization else PLAIN
    if quantization and keeps_zero_points(quantization, deployment.quantization, deployment.card, release):
        base = base._replace(zero_points=True)
    names = (*quantization.excluded, *(name for name, _ in quantization.mixed)) if quantization else ()
    width = width_in(deployment, shape)
    padding, named = padding_of(deployment.card, release), layers_named(names)
    expandable = has_expandable_segments(deployment.environment)
    steps = frozenset() if shape.gated_mlp else padded_schemes(deployment.card, release)
    is_rocm = deployment.card is not None and deployment.card.vendor == "amd"
    return Storage(quantization, base, width, release, padding, named, expandable, steps, is_rocm)


def release_in(deployment: Deployment) -> Release:
    """Return the version's numbers; without one the latest, or the last that ran V0 by default."""
    return release_of(deployment.vllm_version or (LAST_V0_BY_DEFAULT if deployment.engine == "V0" else LATEST))


def width_in(deployment: Deployment, shape: ModelShape) -> float:
    """Return the bytes of an element of the model's data type."""
    named = (deployment.dtype or "auto").removeprefix("torch.").lower()
    if named not in dtypes.WIDTHS:
        named, _ = dtypes.default(shape, release_in(deployment), deployment.card)
    return dtypes.WIDTHS.get(named, 2)


def quantization_of(deployment: Deployment, shape: ModelShape) -> Quantization | None:
    """Return how the weights are stored: as the checkpoint has them, else as `--quantization` makes them."""
    if shape.quantization or not deployment.quantization:
        return as_made(shape.quantization, shape, deployment.model)
    return _from_words(deployment.quantization)


@lru_cache(maxsize=128)
def _from_words(words: str) -> Quantization | None:
    for word in words.replace("(", " ").replace(")", " ").replace(",", " ").split():
        if found := from_flag(word):
            return found
    return None


def weigh(tensors: Tensors, layer: int | None, storage: Storage) -> Weighed:
    """Return what the allocator counts for these tensors, and what it holds beside them; of AMD cards nothing is known."""
    sizes = [size for tensor in tensors for size in sizes_of(tensor, layer, storage)]
    took = counted(sizes, storage.release, is_expandable=storage.is_expandable)
    rests = 0 if storage.is_rocm else rests_of(sizes, storage.release, is_expandable=storage.is_expandable)
    return Weighed(took, rests)


def sizes_of(tensor: Tensor, layer: int | None, storage: Storage) -> tuple[int, ...]:
    """Return the sizes in bytes of what one tensor becomes in memory."""
    if isinstance(tensor, Plain):
        return (int(tensor.elements * (tensor.width or storage.width)),)
    bias = int(tensor.bias * max(1, tensor.experts) * storage.width)
    scheme = scheme_in(tensor, layer, storage)
    rows = padding_bytes(tensor, scheme, storage.width, storage.release) if storage.is_rocm else 0
    if scheme.name == "plain":
        return (int(tensor.elements * storage.width) + rows, bias)
    if scheme.name == "mxfp4" and tensor.experts:
        return padded(tensor, storage.padding)
    if scheme.name in storage.stepped and tensor.experts:
        tensor = in_steps(tensor)
    weight, *scales = stored(tensor, scheme)
    return (weight + rows, *scales, bias, _absorbed(tensor, storage))


def _absorbed(matrix: Matrix, storage: Storage) -> int:
    """A packed kv_b_proj is unpacked once more, as the matrices that latent attention absorbs; a plain one is viewed.

    Source: vLLM 0.9 `v1/attention/backends/mla/common.py`, process_weights_after_loading.
    """
    is_up = matrix.modules[0].endswith("kv_b_proj") and storage.release >= (0, 7, 1)
    return int(matrix.elements * storage.width) if is_up else 0


def scheme_in(matrix: Matrix, layer: int | None, storage: Storage) -> Scheme:
    """Return how a module of a layer is stored."""
    if storage.quantization is None:
        return PLAIN
    return scheme_of(storage.quantization, storage.base, matrix, layer)
