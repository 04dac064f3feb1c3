"""Named amounts about who pays: what a version charges to whom, and memory that nobody on the list holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.diagnosis.amount import Amount, facts_named, lines_from
from bot.diagnosis.amounts_memory import HIGHEST_UTILIZATION, allowance, card_total, kv_room
from bot.diagnosis.processes import fullest, memory_of
from bot.diagnosis.situation import Situation
from bot.sizing.eras import Era, era_of, release_of
from bot.units import Bytes


def _era(situation: Situation) -> Era | None:
    """Return the accounting of the stated version: an assumed one would decide who pays without saying so."""
    version = situation.stated("vllm_version")
    return era_of(release_of(version), situation.stated("engine")) if version else None


def others_are_charged(situation: Situation) -> bool | None:
    """Return whether this version takes other processes' memory off our own share."""
    era = _era(situation)
    return era.charges_neighbours if era else None


def graphs_are_counted(situation: Situation) -> bool | None:
    """Return whether this version takes an estimate of the CUDA graphs off the KV cache."""
    era = _era(situation)
    return era.counts_graphs if era else None


def kv_room_at_most(situation: Situation) -> Bytes | None:
    """Return the room for the KV cache at the highest utilization that is safe on a card of its own."""
    room, inside, total = kv_room(situation), allowance(situation), card_total(situation)
    if room is None or inside is None or total is None:
        return None
    return room + max(total * HIGHEST_UTILIZATION - inside, 0)


def unseen_memory(situation: Situation) -> Bytes | None:
    """Return the memory in use before the start that no listed process holds."""
    used = _used_before(situation)
    listed = memory_of(situation.evidence.processes) or Bytes(0)
    return None if used is None else Bytes(max(used - listed, 0))


def _used_before(situation: Situation) -> Bytes | None:
    free, total = situation.fact("free"), situation.fact("total")
    if free is not None and total is not None:
        return total - free
    gpu = fullest(situation)
    return Bytes.mib(gpu.memory_used_mib) if gpu and gpu.memory_used_mib is not None else None


def _amount(of: Callable[[Situation], Any], *facts: str) -> Amount:
    return Amount(of, facts_named(*facts), lines_from(*facts), (of.__doc__ or "").split("\n", maxsplit=1)[0])


ACCOUNTING_AMOUNTS: Mapping[str, Amount] = {
    "others_are_charged": _amount(others_are_charged, "vllm_version"),
    "graphs_are_counted": _amount(graphs_are_counted, "vllm_version"),
    "kv_room_at_most": _amount(kv_room_at_most, "model", "gpu", "gpu_memory_utilization"),
    "unseen_memory": _amount(unseen_memory, "free", "total"),
}
