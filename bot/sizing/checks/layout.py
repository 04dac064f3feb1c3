"""Parallel layouts that cannot be: heads, quantization groups and fp8 blocks that do not divide, GPUs that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.deployment import Deployment
from bot.model_shape import LayerKind, ModelShape
from bot.sizing.terms import Refusal

DENSE = "intermediate channels"


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield the layouts that vLLM refuses before it loads anything."""
    yield from _world(deployment)
    yield from _slices(deployment)
    shape, ranks = deployment.shape, deployment.tensor_parallel
    if shape is None:
        return
    if ranks is not None and ranks > 0:
        is_dealt_out = bool(deployment.expert_parallel)
        yield from tuple(_heads(shape, ranks)) or _widths(shape, ranks, is_expert_parallel=is_dealt_out)
        yield from _quantization(shape, ranks, is_expert_parallel=is_dealt_out)
    yield from _stages(shape, deployment)
    yield from _context_parallel(shape, deployment)
    yield from _experts(shape, deployment)


def _world(deployment: Deployment) -> Iterator[Refusal]:
    if deployment.gpu_count is None:
        return
    world = deployment.gpus_taken
    if world > deployment.gpu_count > 0:
        yield Refusal(
            name="tensor_parallel",
            message=f"World size ({world}) is larger than the number of available GPUs ({deployment.gpu_count}); "
            "lower the tensor, pipeline or data parallel size, or add nodes",
            problem="tp-exceeds-visible-gpus",
        )


def _slices(deployment: Deployment) -> Iterator[Refusal]:
    """Slices of a card have no peer access to one another, so NCCL cannot join them."""
    card = deployment.card
    if card is not None and " MIG " in card.name and deployment.gpus_of_a_replica > 1:
        yield Refusal(
            name="tensor_parallel",
            message=f"MIG slices cannot be joined: a model runs on one {card.name}; take a larger profile, "
            "or whole cards",
            problem="mig-device",
        )


def _heads(shape: ModelShape, ranks: int) -> Iterator[Refusal]:
    if shape.heads % ranks:
        yield Refusal(
            name="tensor_parallel",
            message=f"Total number of attention heads ({shape.heads}) must be divisible by tensor parallel size "
            f"({ranks}). Sizes that work: {_listed(tuple(filter(partial(splits_heads, shape), divisors(shape.heads))))}",
            problem="tp-heads-not-divisible",
        )
        return
    if not splits_heads(shape, ranks):
        yield Refusal(
            name="tensor_parallel",
            message=f"{shape.kv_heads} KV heads can be neither split over nor copied to {ranks} GPUs evenly",
            problem="tp-heads-not-divisible",
        )


def splits_heads(shape: ModelShape, ranks: int) -> bool:
    """Return whether so many GPUs can share the attention heads, the KV heads split over them or copied to them."""
    divides_kv = shape.kv_heads <= 0 or shape.kv_heads % ranks == 0 or ranks % shape.kv_heads == 0
    return shape.heads % ranks == 0 and divides_kv


def takes(shape: ModelShape, ranks: int) -> bool:
    """Return whether vLLM splits the model over so many GPUs at all."""
    whole = tuple(_widths(shape, ranks, is_expert_parallel=False)) + tuple(
        _quantization(shape, ranks, is_expert_parallel=False)
    )
    return splits_heads(shape, ranks) and not whole


def _widths(shape: ModelShape, ranks: int, *, is_expert_parallel: bool) -> Iterator[Refusal]:
    """Yield other sizes that are cut and must come out whole: MLPs, experts, the heads of state layers."""
    sizes = list(_split_sizes(shape, is_expert_parallel=is_expert_parallel))
    if shape.linear is not None:
        linear = shape.linear
        sizes += [(heads, "linear heads") for heads in (linear.key_heads, linear.value_heads, linear.heads) if heads]
    for size, what in sizes:
        if size % ranks:
            yield Refusal(name="tensor_parallel", message=f"{size:,} {what} are not divisible by {ranks} GPUs")
            return


def divisors(number: int, most: int = 64) -> tuple[int, ...]:
    """Return the divisors of `number` up to `most`."""
    return tuple(size for size in range(1, min(number, most) + 1) if number % size == 0)


def _quantization(shape: ModelShape, ranks: int, *, is_expert_parallel: bool) -> Iterator[Refusal]:
    quantization = shape.quantization
    if quantization is None or ranks == 1:
        return
    for inner, what in _split_sizes(shape, is_expert_parallel=is_expert_parallel):
        if inner % ranks:
            continue
        shard = inner // ranks
        if quantization.block and shard % quantization.block[0]:
            yield Refusal(
                name="tensor_parallel",
                message=f"The output_size of gate's and up's weight = {shard} is not divisible by weight quantization "
                f"block_n = {quantization.block[0]} ({what} {inner:,} over {ranks} GPUs)",
                problem="tp-fp8-block-not-divisible",
            )
        elif not quantization.block and what == DENSE and _has_groups(shape) and shard % (quantization.group_size or 1):
            yield Refusal(
                name="tensor_parallel",
                message=f"Weight input_size_per_partition = {shard} is not divisible by group_size = "
                f"{quantization.group_size} ({what} {inner:,} over {ranks} GPUs)",
                problem="tp-quant-group-not-divisible",
            )


def _has_groups(shape: ModelShape) -> bool:
    """Whether scales are shared by groups along the input, as its method or the checkpoint itself says."""
    quantization = shape.quantization
    if quantization is None or not quantization.group_size or quantization.group_size < 2:
        return False
    if quantization.method == "compressed-tensors" and not quantization.is_known:
        return False
    return quantization.method in {"awq", "gptq", "awq_marlin", "gptq_marlin", "compressed-tensors", "auto-round"}


def _split_sizes(shape: ModelShape, *, is_expert_parallel: bool) -> Iterator[tuple[int, str]]:
    has_dense = shape.moe is None or any(layer.mlp == "dense" for layer in shape.kinds)
    if shape.intermediate and has_dense:
        yield shape.intermediate, DENSE
    if shape.moe is not None and not is_expert_parallel:
        yield shape.moe.intermediate, "expert channels"


def _stages(shape: ModelShape, deployment: Deployment) -> Iterator[Refusal]:
    stages = deployment.pipeline_parallel
    if stages is not None and stages > shape.layers:
        yield Refusal(
            name="pipeline_parallel",
            message=f"pipeline_parallel is {stages}; the model has only {shape.layers} layers",
            problem="cli-bad-argument",
        )


def _context_parallel(shape: ModelShape, deployment: Deployment) -> Iterator[Refusal]:
    parts, ranks = deployment.decode_context_parallel or 1, deployment.tensor_parallel or 1
    if parts == 1:
        return
    if ranks % parts:
        yield Refusal(
            name="decode_context_parallel",
            message=f"tp_size={ranks} must be divisible by dcp_size={parts}.",
            problem="cli-bad-argument",
        )
    elif not any(layer.kind is LayerKind.MLA for layer in shape.kinds) and ranks // shape.kv_heads < parts:
        yield Refusal(
            name="decode_context_parallel",
            message=f"Decode context parallelism needs {parts} copies of each KV head; {ranks} GPUs hold "
            f"{max(1, ranks // shape.kv_heads)} of each of {shape.kv_heads}",
            problem="cli-bad-argument",
        )


def _experts(shape: ModelShape, deployment: Deployment) -> Iterator[Refusal]:
    if deployment.expert_parallel and shape.moe is None:
        yield Refusal(
            name="expert_parallel",
            message=f"expert parallelism needs experts; {shape.name} has none",
            problem="cli-bad-argument",
        )


def _listed(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes))
