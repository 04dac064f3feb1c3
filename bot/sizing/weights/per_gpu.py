"""The weights that one GPU holds, as "Model loading took" counts them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from bot.deployment import Deployment
from bot.model_shape import ModelShape
from bot.sizing.weights.drafts import draft_bytes
from bot.sizing.weights.extras import deepstack_bytes, lora_bytes
from bot.sizing.weights.latent_buffers import absorbed_bytes, sparse_bytes, workspace_bytes
from bot.sizing.weights.layer import count_parameters, embedding_tensors, head_tensors, layer_tensors
from bot.sizing.weights.layers import weigh_layers
from bot.sizing.weights.quantized import Scheme
from bot.sizing.weights.rocm import taken_beside
from bot.sizing.weights.rope_table import rope_tables
from bot.sizing.weights.stages import stage_sizes
from bot.sizing.weights.storage import Storage, Weighed, release_in, scheme_in, storage_of, together, weigh, width_in
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensor, Tensors
from bot.sizing.weights.towers import other_parameters, other_tensors, tower_parameters, tower_tensors
from bot.units import Bytes

# Families that build embedding and output matrix on every pipeline stage, used or not.
# Source: vLLM `models/qwen3_moe.py`; a 0.10.1 log with 2 stages of 4 GPUs.
_BOTH_ENDS = frozenset({"qwen2_moe", "qwen3_moe"})
_LORA_VOCAB = 256  # --lora-extra-vocab-size's default; gone with 0.12


class Loaded(NamedTuple):
    """What is loaded on one GPU of a pipeline stage whatever the batch, in bytes, with the rests of blocks beside it."""

    stage: int
    tensors: int  # negative where more is kept in the host's memory
    rests: int
    is_last: bool  # the stage has the logits and the sampler


def weights_per_gpu(deployment: Deployment) -> Bytes:
    """Return the weights of the fullest GPU.

    Raises:
        ValueError: The model's shape is unknown.
    """
    return max(weights_of_stages(deployment))


def weights_of_stages(deployment: Deployment) -> list[Bytes]:
    """Return the weights of one GPU of each stage: its tensors, and the buffers that loading takes for a batch.

    Raises:
        ValueError: The model's shape is unknown.
    """
    buffers = batch_buffers(deployment)
    return [Bytes(max(0, each.tensors + buffers)) for each in loaded_stages(deployment)]


def loaded_stages(deployment: Deployment) -> tuple[Loaded, ...]:
    """Return what no batch changes of each stage: its layers, and the ends of the model where it has them.

    Formula: Σ over tensors of counted(bytes), with LoRA slots and a speculator's weights on the last stage, less what
    flags keep in the host's memory, which may be more than there is. From 0.21 "Model loading took" prints the rests as
    well.

    Raises:
        ValueError: The model's shape is unknown.

    Source: vLLM `v1/worker/gpu_model_runner.py`, load_model (DeviceMemoryProfiler); 0.7 to 0.33.
    """
    shape = shape_of(deployment)
    split, storage = split_of(deployment), storage_of(deployment, shape)
    found = _weigh_stages(deployment, shape, storage, split)
    scale, last = _unexplained(deployment, shape, storage), len(found) - 1
    everywhere = absorbed_bytes(shape, split, storage.release) // len(found)
    everywhere += taken_beside(_matrices(shape, split, storage), deployment.card, storage.release)
    everywhere -= _kept_on_host(deployment, shape, split, storage.width)
    drafting = lora_bytes(deployment, shape, split, storage.width) + draft_bytes(deployment, shape, split, storage)
    return tuple(
        Loaded(stage, round(each.tensors * scale) + everywhere + drafting * (stage == last), each.rests, stage == last)
        for stage, each in enumerate(found)
    )


def batch_buffers(deployment: Deployment) -> int:
    """Return what loading takes on every GPU that is no weight and goes by the batch and the context.

    Raises:
        ValueError: The model's shape is unknown.
    """
    shape, tokens, release = shape_of(deployment), deployment.max_num_batched_tokens, release_in(deployment)
    handed = 0 if deployment.language_model_only else deepstack_bytes(shape, tokens, width_in(deployment, shape))
    sparse = sparse_bytes(deployment, shape, split_of(deployment), release)
    return handed + workspace_bytes(shape, deployment.card, release, tokens) + sparse


def _kept_on_host(deployment: Deployment, shape: ModelShape, split: Split, width: float) -> int:
    """What flags keep off the GPU; Qwen3.8-Flash-Next with its tables there: 31.42 GiB on each of 8 GPUs, 42.2 without."""
    offloaded = round((deployment.cpu_offload_gib or 0) * 2**30)
    tables = min(shape.host_parameters or 0, other_parameters(shape))
    if ("VLLM_PLE_CPU_OFFLOAD", "1") in deployment.environment:
        offloaded += round(tables * width / split.tensor)
    return offloaded


def shape_of(deployment: Deployment) -> ModelShape:
    """Return the model's shape.

    Raises:
        ValueError: It is unknown.
    """
    if deployment.shape is None:
        raise ValueError("the weights of an unknown model cannot be sized; name the model or paste its config.json")
    return deployment.shape


def _matrices(shape: ModelShape, split: Split, storage: Storage) -> Iterator[tuple[Matrix, Scheme]]:
    for layer in shape.kinds:
        for tensor in layer_tensors(shape, layer, split):
            if isinstance(tensor, Matrix):
                yield tensor, scheme_in(tensor, None, storage)


def split_of(deployment: Deployment) -> Split:
    """Return over how many GPUs each part of a layer is cut."""
    tensor, data = deployment.tensor_parallel or 1, deployment.data_parallel or 1
    extra = _LORA_VOCAB if deployment.lora and release_in(deployment) < (0, 12) else 0
    if deployment.expert_parallel:
        return Split(tensor, expert=tensor * data, expert_tensor=1, extra_vocab=extra)
    return Split(tensor, expert=1, expert_tensor=tensor * data, extra_vocab=extra)


def _unexplained(deployment: Deployment, shape: ModelShape, storage: Storage) -> float:
    """Where the layers do not add up to what the row says vLLM loads, everything grows or shrinks alike.

    A repository smaller than the formula stores more than its configuration tells, so its size is the better figure.

    Source: the fallbacks that served best on start-up logs of models whose layers are known in part only.
    """
    if shape.checkpoint_bytes and not shape.checkpoint_is_exact and storage.quantization is shape.quantization:
        whole = sum(layer.tensors for layer in weigh_layers(shape, storage, Split()))
        ends = _ends(deployment, Split(), is_first=True, is_last=True)
        return shape.checkpoint_bytes / (whole + weigh(ends, None, storage).tensors)
    if not shape.loaded_parameters:
        return 1.0
    beside = tower_parameters(shape) + other_parameters(shape)
    return shape.loaded_parameters / (count_parameters(shape) + beside)


def _weigh_stages(deployment: Deployment, shape: ModelShape, storage: Storage, split: Split) -> list[Weighed]:
    """Return what the layers and ends of each stage take; stages with the same ends have them weighed once."""
    stages, partition = deployment.pipeline_parallel or 1, dict(deployment.environment).get("VLLM_PP_LAYER_PARTITION")
    layers = iter(weigh_layers(shape, storage, split))
    ends: dict[tuple[bool, bool], Weighed] = {}
    found: list[Weighed] = []
    for stage, size in enumerate(stage_sizes(shape.layers, stages, storage.release, partition)):
        place = stage == 0, stage == stages - 1
        if place not in ends:
            tensors = _as_file(_ends(deployment, split, is_first=place[0], is_last=place[1]), storage)
            ends[place] = weigh(tensors, None, storage)
        found.append(together([ends[place], *islice(layers, size)]))
    return found


def _ends(deployment: Deployment, split: Split, *, is_first: bool, is_last: bool) -> Tensors:
    """The embedding on the first stage, norm and output matrix on the last, rotary tables on all."""
    shape = deployment.shape
    assert shape is not None
    both = (shape.model_type or "") in _BOTH_ENDS
    holds_embedding = is_first or both or (is_last and bool(shape.tied_embeddings))
    tensors: list[Tensor] = list(rope_tables(shape, deployment.max_model_len))
    if holds_embedding:
        tensors += embedding_tensors(shape, split)
    if is_last or both:
        tensors += head_tensors(shape, split, holds_embedding=holds_embedding)
    if is_first:
        tensors += other_tensors(shape, split)
    if is_first and not deployment.language_model_only:
        tensors += tower_tensors(deployment, shape, split)
    return tuple(tensors)


def _as_file(tensors: Tensors, storage: Storage) -> Tensors:
    """GGUF files quantize the embedding as well."""
    if storage.quantization is None or storage.quantization.method != "gguf":
        return tensors
    width = storage.base.bits / 8
    return tuple(Plain(t.elements, width) if isinstance(t, Plain) and t.elements > 2**24 else t for t in tensors)
