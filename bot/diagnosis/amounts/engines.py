"""Named amounts of vLLM's own processes on the GPUs, whoever started them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.diagnosis.amounts.amount import Amount, facts_named, first_sentence
from bot.diagnosis.processes import Holder, memory_of, name_holder
from bot.diagnosis.situation import Situation
from bot.evidence import Line, ProcessReading
from bot.units import Bytes


def _engines(situation: Situation) -> tuple[ProcessReading, ...]:
    return tuple(process for process in situation.evidence.processes if name_holder(process) is Holder.VLLM)


def vllm_process_memory(situation: Situation) -> Bytes | None:
    """Return what processes that call themselves vLLM's hold on one GPU."""
    return memory_of(_engines(situation))


def vllm_process_pids(situation: Situation) -> tuple[int, ...] | None:
    """Return the PIDs of processes that call themselves vLLM's."""
    pids = (process.pid for process in _engines(situation))
    return tuple(dict.fromkeys(pid for pid in pids if pid is not None)) or None


def _lines(situation: Situation) -> tuple[Line, ...]:
    return situation.lines_at(process.line for process in _engines(situation))


ENGINE_AMOUNTS: Mapping[str, Amount] = {
    of.__name__: Amount(of, facts_named("dedicated_gpu"), _lines, first_sentence(of))
    for of in (vllm_process_memory, vllm_process_pids)
}
