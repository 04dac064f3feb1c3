"""What a log says outright of a deployment: its layout, in the names of all its processes, and its longest context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.deployment import Deployment
from bot.diagnosis.ranks import Ranks
from bot.diagnosis.rivals import layouts
from bot.diagnosis.say_untold import ground_of_length, ground_of_ranks
from bot.evidence import Evidence
from bot.sizing.checks.refusals import refuse
from bot.sizing.defaults import with_defaults

_AXES = ("pipeline_parallel", "data_parallel", "tensor_parallel")


def read_off(base: Deployment, ranks: Mapping[str, Ranks], evidence: Evidence) -> Iterator[tuple[str, Any, str]]:
    """Yield each fact that nobody stated, its value, and the print that tells it."""
    length = evidence.value("concurrency_len")
    if length and base.max_model_len is None and not base.auto_max_model_len:
        yield "max_model_len", length, ground_of_length(length, evidence)
    if base.expert_parallel is None and "expert_parallel" in ranks:
        yield "expert_parallel", True, ground_of_ranks("expert_parallel", ranks["expert_parallel"])
    for name in _AXES:
        found = ranks.get(name)
        size = (found.size or _only_size(base, name, found.least)) if found else None
        if found and size and getattr(base, name) is None and _is_possible(base, name, size):
            yield name, size, ground_of_ranks(name, found)


def _only_size(base: Deployment, name: str, least: int) -> int | None:
    """Return the one size from `least` on that splits the model over the GPUs that there are."""
    if name != "tensor_parallel" or base.gpu_count is None:
        return None
    sizes = [size for size in layouts(with_defaults(base)[0]) if size >= least]
    return sizes[0] if len(sizes) == 1 else None


def _is_possible(base: Deployment, name: str, size: int) -> bool:
    """Return whether the names of so many ranks tell all: of several nodes a log shows one, and nobody has more GPUs than told."""
    after = base.with_(**{name: size})
    is_there = base.gpu_count is None or after.gpus_taken <= base.gpu_count
    return size == 1 or ((base.nodes or 1) == 1 and is_there and not _is_refused(after, base))


def _is_refused(after: Deployment, before: Deployment) -> bool:
    """Return whether vLLM refuses what was changed, and not what is there anyway."""
    known = refuse(before, is_loaded=True)
    return any(each not in known for each in refuse(after, is_loaded=True))
