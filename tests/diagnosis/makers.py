"""Evidence, situations and hits by hand."""

from __future__ import annotations

from typing import Any

from bot.catalog.problem import Problem
from bot.deployment import Deployment
from bot.diagnosis.situation import Situation
from bot.diagnosis.wordings.search import Hit
from bot.evidence import Evidence, GpuReading, Line, ProcessReading
from bot.facts import Fact, Origin
from bot.units import Bytes

__all__ = ["NEEDED", "a_gpu", "a_hit", "a_process", "a_situation", "evidence_of", "lines_of"]

NEEDED = (
    "ERROR 10-02 14:21:31 [core.py:708] ValueError: To serve at least one request with the models's max seq len (131072), "
    "(16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.13 GiB). Based on"
)


def lines_of(text: str) -> tuple[Line, ...]:
    return tuple(Line(number=number, text=line) for number, line in enumerate(text.split("\n"), 1))


def evidence_of(text: str = "", **facts: Any) -> Evidence:
    stated = {name: Fact(name=name, value=value, origin=Origin.MEASURED, line=1) for name, value in facts.items()}
    return Evidence(lines=lines_of(text), facts=stated)


def a_hit(problem: Problem, line: int = 1, text: str = "", wording: int = 0) -> Hit:
    return Hit(problem, problem.wordings[wording], Line(number=line, text=text))


def a_situation(
    deployment: Deployment | None = None, *hits: Hit, evidence: Evidence | None = None, **facts: Any
) -> Situation:
    return Situation(evidence or evidence_of(**facts), deployment or Deployment(), hits)


def a_process(name: str, memory_mib: int | None = 1000, pid: int = 7, **more: Any) -> ProcessReading:
    return ProcessReading(gpu=more.pop("gpu", 0), pid=pid, name=name, memory_mib=memory_mib, **more)


def a_gpu(used: int, total: int = 23_034, index: int = 0) -> GpuReading:
    return GpuReading(index=index, memory_used_mib=used, memory_total_mib=total)


def gib(amount: float) -> Bytes:
    return Bytes.gib(amount)
