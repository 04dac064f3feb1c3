"""Named amounts about how a version accounts, and the smallest layout that would do."""

from __future__ import annotations

from collections.abc import Mapping

from bot.diagnosis.amounts.amount import Amount, facts_named, first_sentence, lines_from, sized, stated
from bot.diagnosis.amounts.memory import tp_divisors
from bot.diagnosis.amounts.sizings import limit
from bot.diagnosis.situation import Situation
from bot.sizing import limits
from bot.sizing.checks.refusals import refuse
from bot.sizing.eras import era_of, release_of


def graphs_are_counted(situation: Situation) -> bool | None:
    """Return whether this version takes an estimate of the CUDA graphs off the KV cache; None when it is unknown."""
    version = situation.stated("vllm_version")  # an assumed version would decide without saying so
    return era_of(release_of(version), situation.stated("engine")).counts_graphs if version else None


def smallest_layout(situation: Situation) -> int | None:
    """Return the smallest tensor parallel size, 1 included, that holds one request of max_model_len."""
    return limit(limits.fewest_gpus, situation)


def nearest_layout(situation: Situation) -> int | None:
    """Return the largest tensor parallel size, not above the one asked for, that divides the model."""
    asked, sizes = situation.fact("tensor_parallel"), tp_divisors(situation)
    if not asked or not sizes:
        return None
    return max((size for size in sizes if size <= asked and _divides(situation, size)), default=None)


def _divides(situation: Situation, size: int) -> bool:
    """Return whether heads and KV heads split; powers of two do where the model is unknown."""
    if situation.deployment.shape is None:
        return size & (size - 1) == 0
    changed = situation.deployment.with_(tensor_parallel=size)
    return not any(refusal.name == "tensor_parallel" for refusal in refuse(changed))


ACCOUNTING_AMOUNTS: Mapping[str, Amount] = {
    "nearest_layout": Amount(
        nearest_layout,
        facts_named("model", "tensor_parallel"),
        lines_from("attention_heads", "tensor_parallel"),
        first_sentence(nearest_layout),
    ),
    "graphs_are_counted": stated(graphs_are_counted, "vllm_version"),
    "smallest_layout": sized(smallest_layout, "tensor_parallel"),
}
