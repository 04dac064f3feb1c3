"""What the names of vLLM's processes tell of the parallel layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.evidence import Line
from bot.reading.runs import last_run

_AXES: Mapping[str, str] = {"TP": "tensor_parallel", "PP": "pipeline_parallel", "DP": "data_parallel"}
_WORKER = re.compile(r"(?:Vllm)?Worker(?:[ _](?:DP|PP|PCP|TP|DCP|EP)\d{1,4})+\Z")
_RANK = re.compile(r"[ _]([TPD]P|EP)(\d{1,4})")
_OF_A_WORKER = re.compile(r"\[gpu_(?:worker|model_runner)\.py:\d+\]")


class Ranks(NamedTuple):
    """The ranks of one axis of the layout: how many there are at least, and how many where their names prove it."""

    least: int
    size: int | None
    line: int  # where the last of them writes first


def ranks_in(lines: Sequence[Line]) -> dict[str, Ranks]:
    """Return the ranks by the fact that is their number; `expert_parallel` where a name has a rank of experts.

    A name has an axis only where it is longer than one, and an engine that itself logs what a worker does has no other.
    Data parallel ranks of a dense model are servers of their own, which no name counts.

    Source: vLLM `v1/executor/multiproc_executor.py`, setup_proc_title_and_log_prefix, of 0.10.2 to 0.33, and
    WorkerProc.__init__ of 0.10.0 and 0.10.1; `v1/executor/uniproc_executor.py`.
    """
    seen = dict[str, dict[int, int]]()
    named = list(_workers(last_run(lines)))
    for name, number in named:
        for axis, rank in _RANK.findall(name):
            seen.setdefault(axis, {}).setdefault(int(rank), number)
    found = {fact: _ranks(seen[axis]) for axis, fact in _AXES.items() if axis in seen}
    if named:
        alone = Ranks(1, 1, named[0][1])
        found |= {fact: alone for axis, fact in _AXES.items() if axis not in seen and axis != "DP"}
    if "EP" in seen:
        found["expert_parallel"] = Ranks(1, 1, min(seen["EP"].values()))
    return found


def _ranks(seen: Mapping[int, int]) -> Ranks:
    """A rank that has a name is one of several; all from the first on are all that there are."""
    most = max(seen)
    is_whole = most > 0 and len(seen) == most + 1
    return Ranks(max(2, most + 1), most + 1 if is_whole else None, seen[most])


def _workers(lines: Sequence[Line]) -> Iterator[tuple[str, int]]:
    """Yield the names of processes that load the model, with their lines; without workers an engine does so itself."""
    names = [(line.process, line.number) for line in lines if line.process and _WORKER.match(line.process)]
    if names:
        yield from names
        return
    for line in lines:
        if (line.process or "").startswith("EngineCore") and _OF_A_WORKER.search(line.text, 0, line.start):
            yield "EngineCore", line.number
