"""What is asked of the layers of a model: once for each kind, however many runs of it there are.

A kind is told by identity: rows share one object for equal layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from bot.model_shape import Layer, LayerRun

_Found = TypeVar("_Found")


def counts(runs: Iterable[LayerRun]) -> Iterable[tuple[Layer, int]]:
    """Return how many layers there are of each kind, by its first run."""
    found: dict[int, tuple[Layer, int]] = {}
    for run in runs:
        _, before = found.get(id(run.layer), (run.layer, 0))
        found[id(run.layer)] = run.layer, before + run.count
    return found.values()


def by_run(runs: Iterable[LayerRun], ask: Callable[[Layer], _Found]) -> Iterator[tuple[_Found, int]]:
    """Yield what `ask` finds of the layer of each run, and how many layers the run has."""
    known: dict[int, _Found] = {}
    for run in runs:
        kind = id(run.layer)
        if kind not in known:
            known[kind] = ask(run.layer)
        yield known[kind], run.count
