"""Named amounts of gpu_memory_utilization: what free memory allows, what is needed, one step up or down."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bot.diagnosis.amounts.amount import Amount, sized, stated
from bot.diagnosis.amounts.memory import card_total
from bot.diagnosis.amounts.processes import instances_on_card
from bot.diagnosis.amounts.sizings import limit
from bot.diagnosis.processes import Holder, fullest, memory_of, name_holder
from bot.diagnosis.situation import Situation
from bot.sizing import limits
from bot.sizing.constants import BASE_SINGLE
from bot.units import Bytes

SMALLEST_MARGIN = 0.02
"""The least that a step down gives to what lives beside the allowance: below 1–2 % of a card nothing changes."""

LARGEST_MARGIN = 0.15
"""The most that a step down takes: where more than that is missing, the batch is too large and not the share."""

HIGHEST_UTILIZATION = 0.95
"""Above it CUDA context, NCCL buffers and short-lived allocations have no room."""

STEP_UP = 0.05
"""The usual step of a utilization that is raised; smaller ones give less than 1 GiB on a 24 GiB card."""

CHECK_MARGIN = Bytes.mib(64)
"""What free memory wavers by between one look and the next."""


def _floor(share: float) -> float:
    """Return a share rounded down to two places, as people write it."""
    return math.floor(share * 100 + 1e-9) / 100


def even_share(situation: Situation) -> float | None:
    """Return the utilization that each of the engines on a card may have, less what else has to live there."""
    engines, total = instances_on_card(situation), card_total(situation)
    if not engines or engines < 2:
        return None
    others = _held_by_others(situation)
    room = HIGHEST_UTILIZATION
    if total:
        beside = engines * (_beside_the_share(situation) + Bytes.gib(BASE_SINGLE.value))
        room = min(HIGHEST_UTILIZATION - others / total, 1 - (others + beside) / total)
    share = _floor(room / engines)
    return share if share > 0 else None


def _held_by_others(situation: Situation) -> int:
    gpu = fullest(situation)
    here = [process for process in situation.evidence.processes if gpu is None or process.gpu == gpu.index]
    return memory_of(tuple(process for process in here if name_holder(process) is not Holder.VLLM)) or 0


def _beside_the_share(situation: Situation) -> int:
    """Return what an engine takes beside its share and its CUDA context, as far as its budget is known."""
    terms = situation.budget.terms if situation.budget else ()
    return sum(term.amount for term in terms if not term.inside and term.name != "other_processes")


def highest_utilization(situation: Situation) -> float:
    """Return the highest utilization that is safe: of the whole card, or of one that engines share."""
    return even_share(situation) or HIGHEST_UTILIZATION


def utilization_that_fits(situation: Situation) -> float | None:
    """Return the highest utilization that the free memory allows, rounded down."""
    free, total = situation.fact("free"), situation.fact("total") or card_total(situation)
    if free is None or not total:
        return None
    share = _floor((free - CHECK_MARGIN) / total)
    return share if share > 0 else None


def _utilization(situation: Situation) -> float | None:
    if situation.budget:
        return situation.budget.deployment.gpu_memory_utilization
    return situation.fact("gpu_memory_utilization")


def utilization_with_margin(situation: Situation) -> float | None:
    """Return a lower utilization that leaves room for what lives beside the allowance."""
    share, total = _utilization(situation), card_total(situation)
    if share is None or not total:
        return None
    terms = situation.budget.terms if situation.budget else ()
    outside = sum(term.high for term in terms if not term.inside and term.name != "other_processes")
    step = max(SMALLEST_MARGIN, outside / total - (1 - share))
    return _floor(share - min(step, LARGEST_MARGIN)) if share > SMALLEST_MARGIN else None


def utilization_step_up(situation: Situation) -> float | None:
    """Return the next higher utilization that is still safe on a card of its own; None when there is none."""
    share = _utilization(situation)
    if share is None:
        return None
    highest = highest_utilization(situation)
    ceiling = min(highest, utilization_that_fits(situation) or highest)
    higher = _floor(min(ceiling, max(share + STEP_UP, 0.9)))
    return higher if higher > share else None


def utilization_needed(situation: Situation) -> float | None:
    """Return the lowest utilization that holds one request and that is safe; None when none is."""
    share = limit(limits.lowest_utilization, situation)
    return share if share and share <= highest_utilization(situation) else None


def kv_room_at_most(situation: Situation) -> Bytes | None:
    """Return the KV cache memory at the highest utilization that is safe on a card of its own."""
    if situation.budget is None:
        return None
    highest = highest_utilization(situation)
    total, share = situation.budget.total, situation.budget.deployment.gpu_memory_utilization or highest
    more = max(highest - share, 0.0)
    return situation.budget.kv_available + total * more


UTILIZATION_AMOUNTS: Mapping[str, Amount] = {
    "even_share": stated(even_share, "instances"),
    "kv_room_at_most": sized(kv_room_at_most, "kv_available"),
    "utilization_needed": sized(utilization_needed),
    "utilization_that_fits": stated(utilization_that_fits, "free", "total"),
    "utilization_with_margin": sized(utilization_with_margin, "gpu_memory_utilization"),
    "utilization_step_up": stated(utilization_step_up, "gpu_memory_utilization"),
}
