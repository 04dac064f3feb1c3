"""The weights that one GPU holds, as "Model loading took" counts them."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deployment import Deployment
from bot.model_shape import Layer, ModelShape
from bot.sizing.eras import Release
from bot.sizing.weights.drafts import draft_bytes
from bot.sizing.weights.extras import deepstack_bytes, lora_bytes
from bot.sizing.weights.latent_buffers import absorbed_bytes, sparse_bytes, workspace_bytes
from bot.sizing.weights.layer import count_parameters, embedding_tensors, head_tensors, layer_tensors
from bot.sizing.weights.quantized import Scheme
from bot.sizing.weights.rocm import taken_beside
from bot.sizing.weights.rope_table import rope_tables
from bot.sizing.weights.stages import stage_sizes
from bot.sizing.weights.storage import Storage, bytes_of, release_in, scheme_in, storage_of, width_in
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensor, Tensors
from bot.sizing.weights.towers import other_parameters, other_tensors, tower_parameters, tower_tensors
from bot.units import Bytes

# Families that build embedding and output matrix on every pipeline stage, used or not.
# Source: vLLM `models/qwen3_moe.py`; a 0.10.1 log with 2 stages of 4 GPUs.
_BOTH_ENDS = frozenset({"qwen2_moe", "qwen3_moe"})
_LORA_VOCAB = 256  # --lora-extra-vocab-size's default; gone with 0.12


def weights_per_gpu(deployment: Deployment) -> Bytes:
    """Return the weights of the fullest GPU.

    Raises:
        ValueError: The model's shape is unknown.
    """
    return max(weights_of_stage(deployment, stage) for stage in range(deployment.pipeline_parallel or 1))


def weights_of_stage(deployment: Deployment, stage: int) -> Bytes:
    """Return the weights of one GPU of a pipeline stage: its tensors, and the buffers that loading takes for a batch.

    Raises:
        ValueError: The model's shape is unknown.
    """
    return Bytes(max(0, tensors_of_stage(deployment, stage) + batch_buffers(deployment)))


def tensors_of_stage(deployment: Deployment, stage: int) -> int:
    """Return the bytes of a stage that no batch changes: its layers, and the ends of the model where it has them.

    Formula: Σ over tensors of counted(bytes), with LoRA slots and a speculator's weights on the last stage, less what
    flags keep in the host's memory, which may be more than there is.

    Raises:
        ValueError: The model's shape is unknown.

    Source: vLLM `v1/worker/gpu_model_runner.py`, load_model (DeviceMemoryProfiler); 0.7 to 0.33.
    """
    shape = shape_of(deployment)
    split, stages = split_of(deployment), deployment.pipeline_parallel or 1
    storage = storage_of(deployment, shape)
    total = _bytes_of_stage(deployment, shape, storage, stage)
    total = round(total * _unexplained(deployment, shape, storage))
    total += absorbed_bytes(shape, split, storage.release) // stages
    total += taken_beside(_matrices(shape, split, storage), deployment.card, storage.release)
    if stage == stages - 1:
        total += lora_bytes(deployment, shape, split, storage.width)
        total += draft_bytes(deployment, shape, split, storage)
    return total - _kept_on_host(deployment, shape, split, storage.width)


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


def rests_of_stage(deployment: Deployment, stage: int) -> Bytes:
    """Return what torch's allocator holds beside the weights of a pipeline stage: from 0.21 the rests of large blocks.

    "Model loading took" prints them as well.
    """
    shape = deployment.shape
    if shape is None or release_in(deployment) < (0, 21):
        return Bytes(0)
    storage = storage_of(deployment, shape)._replace(counts_rests=True)
    is_cut = storage.is_expandable or storage.is_rocm
    return Bytes(0 if is_cut else _bytes_of_stage(deployment, shape, storage, stage))


def _matrices(shape: ModelShape, split: Split, storage: Storage) -> Iterator[tuple[Matrix, Scheme]]:
    for run in shape.runs:
        for tensor in layer_tensors(shape, run.layer, split):
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
        whole = _bytes_of_layers(shape, range(shape.layers), storage, Split())
        ends = _ends(deployment, Split(), is_first=True, is_last=True)
        return shape.checkpoint_bytes / (whole + bytes_of(ends, None, storage))
    if not shape.loaded_parameters:
        return 1.0
    beside = tower_parameters(shape) + other_parameters(shape)
    return shape.loaded_parameters / (count_parameters(shape) + beside)


def _bytes_of_stage(deployment: Deployment, shape: ModelShape, storage: Storage, stage: int) -> int:
    split, stages = split_of(deployment), deployment.pipeline_parallel or 1
    layers = _layers_of(deployment, shape, stage, storage.release)
    ends = _ends(deployment, split, is_first=stage == 0, is_last=stage == stages - 1)
    return _bytes_of_layers(shape, layers, storage, split) + bytes_of(_as_file(ends, storage), None, storage)


def _layers_of(deployment: Deployment, shape: ModelShape, stage: int, release: Release) -> range:
    partition = dict(deployment.environment).get("VLLM_PP_LAYER_PARTITION")
    sizes = stage_sizes(shape.layers, deployment.pipeline_parallel or 1, release, partition)
    first = sum(sizes[:stage])
    return range(first, first + sizes[stage])


def _bytes_of_layers(shape: ModelShape, wanted: range, storage: Storage, split: Split) -> int:
    """Layers of one kind that the exclude list treats alike take the same bytes, so each such group is sized once."""
    total, first = 0, 0
    known: dict[tuple[int, tuple[bool, ...]], int] = {}
    tensors: dict[int, Tensors] = {}
    for run in shape.runs:
        inside = range(max(first, wanted.start), min(first + run.count, wanted.stop))
        first += run.count
        kind = _same(run.layer, tensors, shape, split)
        for place in inside if storage.named else inside[:1]:
            key = (kind, storage.signature(place))
            if key not in known:
                known[key] = bytes_of(tensors[kind], place, storage)
            total += known[key] * (1 if storage.named else len(inside))
    return total


def _same(layer: Layer, tensors: dict[int, Tensors], shape: ModelShape, split: Split) -> int:
    """Remember the tensors of a kind of layer, under its identity; rows share one object for equal layers."""
    kind = id(layer)
    if kind not in tensors:
        tensors[kind] = layer_tensors(shape, layer, split)
    return kind


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
