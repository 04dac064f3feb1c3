"""Named amounts of other layouts: pipeline stages, replicas that share experts, instances that share a card."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bot.deployment import LayerKind
from bot.diagnosis.amounts.amount import Amount, facts_named, first_sentence, lines_from, sized, stated
from bot.diagnosis.amounts.memory import card_total
from bot.diagnosis.amounts.processes import instances_on_card
from bot.diagnosis.amounts.sizings import limit
from bot.diagnosis.amounts.utilization import HIGHEST_UTILIZATION
from bot.diagnosis.processes import Holder, fullest, memory_of, name_holder
from bot.diagnosis.situation import Situation
from bot.sizing import limits


def fewest_stages(situation: Situation) -> int | None:
    """Return the smallest pipeline parallel size, beyond the present one, that fits at this tensor parallel size."""
    size = limit(limits.fewest_stages, situation)
    return size if size and size > (situation.deployment.pipeline_parallel or 1) else None


def expert_replicas(situation: Situation) -> int | None:
    """Return how many replicas could share the experts, one a GPU, of a model whose KV cache ranks would only copy."""
    shape = situation.deployment.shape
    gpus = situation.deployment.gpu_count or situation.evidence.value("tensor_parallel")
    if shape is None or shape.moe is None or not gpus or gpus < 2:
        return None
    copies = any(run.layer.kind is LayerKind.MLA for run in shape.runs)
    return gpus if copies and shape.moe.experts % gpus == 0 else None


def even_share(situation: Situation) -> float | None:
    """Return the utilization that each of the engines on a card may have, less what other programs hold."""
    engines, total = instances_on_card(situation), card_total(situation)
    if not engines or engines < 2 or not total:
        return None
    gpu = fullest(situation)
    here = [process for process in situation.evidence.processes if gpu is None or process.gpu == gpu.index]
    others = memory_of(tuple(process for process in here if name_holder(process) is not Holder.VLLM)) or 0
    share = math.floor((HIGHEST_UTILIZATION - others / total) / engines * 100 + 1e-9) / 100
    return share if share > 0 else None


LAYOUT_AMOUNTS: Mapping[str, Amount] = {
    "fewest_stages": sized(fewest_stages, "pipeline_parallel"),
    "expert_replicas": Amount(
        expert_replicas,
        facts_named("model", "gpu_count"),
        lines_from("tensor_parallel", "gpu_count"),
        first_sentence(expert_replicas),
    ),
    "even_share": stated(even_share, "gpu"),
}
