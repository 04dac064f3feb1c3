"""What loading allocates beside the model's own weights: LoRA slots, and buffers between a tower and its layers."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.model_shape import ModelShape
from bot.sizing.each_kind import counts
from bot.sizing.weights.layer import layer_tensors
from bot.sizing.weights.tensors import Matrix, Split, Tensors

_DEFAULT_RANK = 16
_LEAST_BATCH = 2048
_DEEPSTACK_LEVELS = 3


def lora_bytes(deployment: Deployment, shape: ModelShape, split: Split, width: float) -> int:
    """Return the bytes of the LoRA slots: for each target module max_loras × rank × (inputs + outputs).

    The first factor is whole on every GPU, the second follows the module's own split.

    Source: vLLM `lora/layers/`, create_lora_weights.
    """
    if not deployment.lora:
        return 0
    slots, rank = deployment.max_loras or 1, deployment.max_lora_rank or _DEFAULT_RANK
    sides = sum(_sides(layer_tensors(shape, layer, split)) * count for layer, count in counts(shape.runs))
    return int(slots * rank * sides * width)


def _sides(tensors: Tensors) -> int:
    matrices = (tensor for tensor in tensors if isinstance(tensor, Matrix) and not tensor.experts)
    return sum(matrix.inputs * len(matrix.modules) + matrix.outputs for matrix in matrices)


def deepstack_bytes(shape: ModelShape, batched_tokens: int | None, width: float) -> int:
    """Return the buffers for what Qwen3-VL's tower hands to three text layers: batched_tokens × hidden each.

    Source: vLLM 0.13 `models/qwen3_vl.py`, deepstack_input_embeds; 58.23 GiB of Qwen3-VL-30B-A3B on an H200, 14.77 on
    each of four 3090 and 4.24 of the 2B on a 5070 Ti are the tensors and 0.09, 0.02 and 0.02 GiB.
    """
    if shape.vision is None or not (shape.model_type or "").startswith(("qwen3_vl", "qwen3_omni")):
        return 0
    return round(_DEEPSTACK_LEVELS * (batched_tokens or _LEAST_BATCH) * shape.hidden * width)
