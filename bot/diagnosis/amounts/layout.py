"""Named amounts of other layouts: pipeline stages, replicas that share experts, instances that share a card."""

from __future__ import annotations

from collections.abc import Mapping

from bot.diagnosis.amounts.amount import Amount, facts_named, first_sentence, lines_from, sized
from bot.diagnosis.amounts.sizings import limit
from bot.diagnosis.situation import Situation
from bot.model_shape import LayerKind
from bot.sizing import limits


def fewest_stages(situation: Situation) -> int | None:
    """Return the smallest pipeline parallel size, beyond the present one, that fits at this tensor parallel size."""
    size = limit(limits.fewest_stages, situation)
    return size if size and size > (situation.deployment.pipeline_parallel or 1) else None


USUAL_REQUEST = 8_192
"""Tokens of a request as most people send them: a shorter context than this is no way to save cards."""


def fewest_gpus_for_usual_requests(situation: Situation) -> int | None:
    """Return the smallest tensor parallel size, beyond the present one, for requests of the length served, or of 8,192."""
    filled = situation.budget.deployment if situation.budget else situation.deployment
    least = situation.fact("longest_request") or USUAL_REQUEST
    length = min(least, filled.max_model_len or least)
    size = limit(limits.fewest_gpus, situation, max_model_len=length, auto_max_model_len=None)
    return size if size and size > (situation.deployment.tensor_parallel or 1) else None


def shorter_context(situation: Situation) -> int | None:
    """Return the context length that a fix serves, where it is shorter than what was asked for."""
    shape, served = situation.deployment.shape, situation.deployment.max_model_len
    asked = situation.evidence.value("max_model_len") or (shape and shape.max_position)
    return served if situation.is_changed and served and asked and served < asked else None


def expert_replicas(situation: Situation) -> int | None:
    """Return how many replicas could share the experts, one a GPU, of a model whose KV cache ranks would only copy."""
    shape = situation.deployment.shape
    gpus = situation.deployment.gpu_count or situation.evidence.value("tensor_parallel")
    gpus = gpus and gpus // (situation.deployment.pipeline_parallel or 1)
    if shape is None or shape.moe is None or not gpus or gpus < 2:
        return None
    copies = any(layer.kind is LayerKind.MLA for layer in shape.kinds)
    return gpus if copies and shape.moe.experts % gpus == 0 else None


LAYOUT_AMOUNTS: Mapping[str, Amount] = {
    "fewest_stages": sized(fewest_stages, "pipeline_parallel"),
    "fewest_gpus_for_usual_requests": sized(fewest_gpus_for_usual_requests, "tensor_parallel"),
    "shorter_context": sized(shorter_context, "max_model_len"),
    "expert_replicas": Amount(
        expert_replicas,
        facts_named("model", "gpu_count"),
        lines_from("tensor_parallel", "gpu_count"),
        first_sentence(expert_replicas),
    ),
}
