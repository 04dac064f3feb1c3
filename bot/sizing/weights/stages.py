"""How pipeline parallelism deals the layers out to its stages."""

from __future__ import annotations

from bot.sizing.eras import Release


def stage_sizes(layers: int, stages: int, release: Release, partition: str | None = None) -> tuple[int, ...]:
    """Return the number of layers of each stage.

    A remainder goes to the stages before the last, counted backwards; up to 0.7 the last stage took all of it.
    `partition` is the value of VLLM_PP_LAYER_PARTITION, where one was set.

    Source: vLLM 0.33 `distributed/utils.py`, get_pp_indices.

    >>> stage_sizes(62, 4, (0, 19, 0))
    (15, 16, 16, 15)
    """
    if partition and (stated := _stated(partition, layers, stages)):
        return stated
    share, rest = divmod(layers, stages)
    sizes = [share] * stages
    if release < (0, 8):
        sizes[-1] += rest
        return tuple(sizes)
    for place in range(2, rest + 2):
        sizes[-place] += 1
    return tuple(sizes)


def _stated(partition: str, layers: int, stages: int) -> tuple[int, ...] | None:
    parts = partition.split(",")
    if len(parts) != stages or not all(part.strip().isdigit() for part in parts):
        return None
    sizes = tuple(int(part) for part in parts)
    return sizes if sum(sizes) == layers else None
