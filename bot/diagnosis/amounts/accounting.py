"""Named amounts about how a version accounts, and the smallest layout that would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.diagnosis.amounts.amount import Amount, facts_named, first_sentence, lines_from, sized, stated
from bot.diagnosis.amounts.memory import max_position, tp_divisors
from bot.diagnosis.amounts.processes import visible_gpus
from bot.diagnosis.amounts.sizings import limit
from bot.diagnosis.situation import Situation
from bot.sizing import limits
from bot.sizing.checks.refusals import refuse
from bot.sizing.counted_graphs import graphs_may_be_counted


def graphs_are_counted(situation: Situation) -> bool | None:
    """Return whether this version takes an estimate of the CUDA graphs off the KV cache; None when it is unknown."""
    return graphs_may_be_counted(situation.deployment)  # an assumed version would decide without saying so


def smallest_layout(situation: Situation) -> int | None:
    """Return the smallest tensor parallel size, 1 included, that holds one request of max_model_len."""
    return limit(limits.fewest_gpus, situation)


def nearest_layout(situation: Situation) -> int | None:
    """Return the largest tensor parallel size that divides the model: up to the GPUs at hand, or to the one asked for."""
    most = visible_gpus(situation) or situation.fact("tensor_parallel")
    return _largest(situation, [size for size in tp_divisors(situation) or () if size <= most]) if most else None


def even_layout(situation: Situation) -> int | None:
    """Return the largest tensor parallel size that divides the model and, in two stages or more, all GPUs at hand."""
    gpus = visible_gpus(situation)
    if not gpus or nearest_layout(situation) in {gpus, None}:
        return None
    return _largest(situation, [size for size in tp_divisors(situation) or () if size < gpus and gpus % size == 0])


def _largest(situation: Situation, sizes: Sequence[int]) -> int | None:
    """Return the largest of these sizes that the model can be split by; of those rather one that vLLM takes."""
    able = [size for size in sizes if _divides(situation, size)]
    return max((size for size in able if not _is_refused(situation, size)), default=max(able, default=None))


def _is_refused(situation: Situation, size: int) -> bool:
    return bool(refuse(situation.deployment.with_(tensor_parallel=size)))


def _divides(situation: Situation, size: int) -> bool:
    """Return whether heads and KV heads split; powers of two do where the model is unknown."""
    if situation.deployment.shape is None:
        return size & (size - 1) == 0
    changed = situation.deployment.with_(tensor_parallel=size)
    return not any(refusal.name == "tensor_parallel" for refusal in refuse(changed))


def gpus_taken(situation: Situation) -> int | None:
    """Return the GPUs of all ranks, stages and replicas together."""
    deployment = situation.deployment
    is_told = deployment.tensor_parallel or deployment.pipeline_parallel or deployment.data_parallel
    return deployment.gpus_taken if is_told else None


def remaining_stages(situation: Situation) -> int | None:
    """Return the pipeline stages, 2 or more, for which there are GPUs at this tensor and data parallel size."""
    deployment = situation.deployment
    ranks = (deployment.tensor_parallel or 1) * (deployment.data_parallel or 1)
    stages = (visible_gpus(situation) or 0) // ranks
    return stages if stages > 1 else None


def rope_factor(situation: Situation) -> float | None:
    """Return by how much, in whole steps, the context asked for is longer than the one the model was made for."""
    asked, made_for = situation.fact("max_model_len"), max_position(situation)
    return float(-(-asked // made_for)) if asked and made_for and asked > made_for else None


ACCOUNTING_AMOUNTS: Mapping[str, Amount] = {
    "nearest_layout": Amount(
        nearest_layout,
        facts_named("model", "tensor_parallel"),
        lines_from("attention_heads", "tensor_parallel"),
        first_sentence(nearest_layout),
    ),
    "even_layout": Amount(
        even_layout, facts_named("model", "gpu_count"), lines_from("attention_heads"), first_sentence(even_layout)
    ),
    "gpus_taken": stated(gpus_taken, "tensor_parallel"),
    "rope_factor": stated(rope_factor, "max_model_len"),
    "remaining_stages": stated(remaining_stages, "gpu_count"),
    "graphs_are_counted": stated(graphs_are_counted, "vllm_version", "model"),
    "smallest_layout": sized(smallest_layout, "tensor_parallel"),
}
