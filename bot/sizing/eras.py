"""Which engine and which memory accounting a vLLM version has."""

from __future__ import annotations

from typing import NamedTuple

from packaging.version import Version

Release = tuple[int, ...]

LATEST = Version("0.33.0")
LAST_V0_BY_DEFAULT = Version("0.7.3")
GRAPHS_COUNTED_FROM: Release = (0, 20)


class Era(NamedTuple):
    """A span of versions that count start-up memory in the same way."""

    name: str
    span: str
    engine: str  # V0 or V1
    charges_neighbours: bool = False  # what other processes hold is taken off our KV cache
    checks_free_memory: bool = False  # free ≥ total × utilization, before anything is loaded
    counts_graphs: bool = False  # an estimate of the CUDA graphs is taken off the KV cache
    counts_base_context: bool = True  # CUDA context and NCCL's first buffers are inside the allowance
    counts_consumed: bool = False  # weights and non-torch memory are one figure


# Source: vLLM `worker/worker.py` (V0) and `v1/worker/gpu_worker.py`, read in 77 releases from 0.1.7 to 0.33.0.
_V0 = (
    ((0, 6, 4), Era("A", "up to 0.6.3", "V0")),
    ((0, 6, 5), Era("B", "0.6.4", "V0", charges_neighbours=True)),
    ((999,), Era("C", "V0 of 0.6.5 to 0.10.2", "V0")),
)
_V1 = (
    ((0, 9, 1), Era("D", "V1 up to 0.9.0.1", "V1", charges_neighbours=True)),
    ((0, 11), Era("E", "V1 of 0.9.1 to 0.10.2", "V1", checks_free_memory=True)),
    ((0, 18), Era("F", "0.11 to 0.17", "V1", checks_free_memory=True, counts_base_context=False)),
    (GRAPHS_COUNTED_FROM, Era("G", "0.18 and 0.19", "V1", checks_free_memory=True, counts_base_context=False)),
    (
        (0, 27),
        Era("H", "0.20 to 0.26", "V1", checks_free_memory=True, counts_graphs=True, counts_base_context=False),
    ),
    (
        (999,),
        Era(
            "I",
            "0.27 and later",
            "V1",
            checks_free_memory=True,
            counts_graphs=True,
            counts_base_context=False,
            counts_consumed=True,
        ),
    ),
)


def release_of(version: Version) -> Release:
    """Return the version's numbers; "0.26.1rc1.dev457" counts as 0.26.1, which its code is closest to."""
    return version.release


def is_untagged(version: Version) -> bool:
    """Return whether it is a build from a clone without tags, which says nothing of its release.

    >>> is_untagged(Version("0.1.dev1+g1a2b3c4"))
    True
    """
    return version.is_devrelease and version.local is not None and version.release <= (0, 1)


def engine_of(release: Release, use_v1: bool | None = None) -> str:
    """Return the engine that starts: V1 is the default from 0.8.0 and alone from 0.11.0."""
    if release >= (0, 11):
        return "V1"
    if use_v1 is not None:
        return "V1" if use_v1 else "V0"
    return "V1" if release >= (0, 8) else "V0"


def era_of(release: Release, engine: str | None = None) -> Era:
    """Return the memory accounting of a release.

    >>> era_of((0, 19, 0)).name
    'G'
    >>> era_of((0, 9, 2), "V0").span
    'V0 of 0.6.5 to 0.10.2'
    """
    table = _V0 if (engine or engine_of(release)) == "V0" else _V1
    return next((era for until, era in table if release < until), table[-1][1])
