"""Named amounts about who else is on the card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.diagnosis.amounts.amount import Amount, facts_named, first_sentence, stated
from bot.diagnosis.amounts.memory import allowance, card_total
from bot.diagnosis.processes import (
    CONTEXT,
    Holder,
    display_processes,
    fullest,
    memory_of,
    name_holder,
    other_processes,
    own_processes,
    stale_processes,
    start_failed,
)
from bot.diagnosis.situation import Situation
from bot.evidence import Line, ProcessReading
from bot.sizing.eras import era_of, release_of
from bot.units import Bytes

IDLE = Bytes.mib(1024)
"""A GPU on which less is used serves nobody: driver and display take a few hundred MiB."""

BY_DESIGN = (0.9, 1.12)
"""Used memory ÷ allowance of a healthy engine: graphs and CUDA context come on top of the allowance."""

LEAST_BY_DESIGN = 0.85
"""Share of the card that is held on purpose where no allowance is known: by default vLLM claims 0.9 of it or more."""


def other_process_memory(situation: Situation) -> Bytes | None:
    """Return what programs other than this deployment hold on the fullest GPU."""
    if situation.fact("dedicated_gpu"):
        return Bytes(0)
    printed = memory_of(other_processes(situation))
    if printed is not None:
        return printed
    if situation.evidence.processes and own_processes(situation):
        return Bytes(0)
    return _held_before_start(situation) or _listed_beside_us(situation)


def _listed_beside_us(situation: Situation) -> Bytes | None:
    """Return what the largest process holds that PyTorch lists beside the one that ran out; it names that one apart.

    Source: reportProcessMemoryInfo in c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.1.
    """
    return situation.fact("oom_listed") if situation.fact("oom_process") is not None else None


def _held_before_start(situation: Situation) -> Bytes | None:
    """Return the memory in use although our start failed: nvidia-smi's figure, or total − free of the check."""
    if not start_failed(situation):
        return None
    gpu = fullest(situation)
    if gpu and gpu.memory_used_mib is not None:
        return Bytes.mib(gpu.memory_used_mib)
    free, total = situation.fact("free"), situation.fact("total")
    held = total - free if free is not None and total is not None else Bytes(0)
    return held if held > CONTEXT else None


def unseen_memory(situation: Situation) -> Bytes | None:
    """Return what was in use before our start and no process shows: total − free − what processes hold."""
    free, total = situation.fact("free"), situation.fact("total")
    if free is None or total is None or not start_failed(situation):
        return None
    return Bytes(max(total - free - (memory_of(situation.evidence.processes) or 0), 0))


def others_are_charged(situation: Situation) -> bool | None:
    """Return whether this version takes other processes' memory off our KV cache; None when the version is unknown."""
    version = situation.deployment.vllm_version
    if version is None:
        return None
    return era_of(release_of(version), situation.deployment.engine).charges_neighbours


def own_process_memory(situation: Situation) -> Bytes | None:
    """Return what this deployment's processes hold on the fullest GPU."""
    return memory_of(own_processes(situation)) or situation.fact("oom_process")


def display_process_memory(situation: Situation) -> Bytes | None:
    """Return what the desktop and its programs hold."""
    shown = display_processes(situation)
    if shown:
        return memory_of(shown)
    return Bytes(0) if situation.evidence.processes else None


def stale_process_memory(situation: Situation) -> Bytes | None:
    """Return what vLLM processes of an earlier start still hold."""
    stale = stale_processes(situation)
    if stale:
        return memory_of(stale)
    return Bytes(0) if situation.evidence.processes else None


def _names(processes: tuple[ProcessReading, ...]) -> tuple[str, ...] | None:
    return tuple(dict.fromkeys(process.name for process in processes if process.name)) or None


def _pids(processes: tuple[ProcessReading, ...]) -> tuple[int, ...] | None:
    return tuple(dict.fromkeys(process.pid for process in processes if process.pid is not None)) or None


def other_process_names(situation: Situation) -> tuple[str, ...] | None:
    """Return the names of other programs on the GPUs."""
    return _names(other_processes(situation))


def other_process_pids(situation: Situation) -> tuple[int, ...] | None:
    """Return the PIDs of other programs on the GPUs."""
    return _pids(other_processes(situation))


def stale_process_pids(situation: Situation) -> tuple[int, ...] | None:
    """Return the PIDs of vLLM processes of an earlier start."""
    return _pids(stale_processes(situation))


def free_memory(situation: Situation) -> Bytes | None:
    """Return the free memory at start: as vLLM printed it, or total − used of the fullest GPU."""
    logged = situation.fact("free")
    gpu = fullest(situation)
    if logged is not None or gpu is None:
        return logged
    if gpu.memory_free_mib is not None:
        return Bytes.mib(gpu.memory_free_mib)
    return Bytes.mib(gpu.memory_total_mib - (gpu.memory_used_mib or 0)) if gpu.memory_total_mib else None


def total_used_memory(situation: Situation) -> Bytes | None:
    """Return the used memory of the fullest GPU, as a tool printed it or a person told it."""
    gpu = fullest(situation)
    return Bytes.mib(gpu.memory_used_mib) if gpu and gpu.memory_used_mib is not None else situation.fact("used")


def instances_on_card(situation: Situation) -> int | None:
    """Return how many vLLM engines share one GPU, as somebody says or as the processes on it show."""
    told = situation.fact("instances")
    if told:
        return told
    engines: dict[int | None, int] = {}
    for process in situation.evidence.processes:
        if name_holder(process) is Holder.VLLM:
            engines[process.gpu] = engines.get(process.gpu, 0) + 1
    return max(engines.values(), default=None)


def visible_gpus(situation: Situation) -> int | None:
    """Return how many GPUs there are."""
    return len(situation.evidence.gpus) or situation.deployment.gpu_count


def idle_gpus(situation: Situation) -> int | None:
    """Return how many GPUs hold next to nothing, beside those that a start which failed has left."""
    used = [gpu.memory_used_mib for gpu in situation.evidence.gpus]
    if not used or None in used:
        return None
    idle = sum(1 for amount in used if amount is not None and Bytes.mib(amount) < IDLE)
    return min(idle, max(0, len(used) - situation.deployment.gpus_taken)) if start_failed(situation) else idle


def card_is_full_by_design(situation: Situation) -> bool | None:
    """Return whether the used memory is what the allowance claims: weights, KV cache and graphs, held on purpose."""
    used, inside = total_used_memory(situation), allowance(situation)
    if used is None:
        return None
    if inside is None:
        total = card_total(situation)
        return None if not total else used / total > LEAST_BY_DESIGN
    low, high = BY_DESIGN
    return low <= used / inside <= high


def _reading_lines(situation: Situation) -> tuple[Line, ...]:
    seen = [process.line for process in situation.evidence.processes] or [gpu.line for gpu in situation.evidence.gpus]
    return situation.lines_at(seen[:4]) or situation.lines_of(["oom_listed", "free", "total"])


def _process(of: Callable[[Situation], Any]) -> Amount:
    return Amount(of, facts_named("dedicated_gpu"), _reading_lines, first_sentence(of))


PROCESS_AMOUNTS: Mapping[str, Amount] = {
    "other_process_memory": _process(other_process_memory),
    "other_process_names": _process(other_process_names),
    "other_process_pids": _process(other_process_pids),
    "unseen_memory": stated(unseen_memory, "free", "total"),
    "others_are_charged": stated(others_are_charged, "vllm_version"),
    "own_process_memory": _process(own_process_memory),
    "display_process_memory": _process(display_process_memory),
    "stale_process_memory": _process(stale_process_memory),
    "stale_process_pids": _process(stale_process_pids),
    "free_memory": _process(free_memory),
    "total_used_memory": _process(total_used_memory),
    "instances_on_card": _process(instances_on_card),
    "visible_gpus": stated(visible_gpus, "gpu_count"),
    "idle_gpus": Amount(idle_gpus, facts_named("gpu_count"), _reading_lines, first_sentence(idle_gpus)),
    "card_is_full_by_design": _process(card_is_full_by_design),
}
