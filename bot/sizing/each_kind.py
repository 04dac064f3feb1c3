"""What is asked of the layers of a model: once for each kind, however many runs of it there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from bot.model_shape import Layer, LayerRun

_Found = TypeVar("_Found")


def by_run(runs: Iterable[LayerRun], ask: Callable[[Layer], _Found]) -> Iterator[tuple[_Found, int]]:
    """Yield what `ask` finds of the layer of each run, and how many layers the run has.

    A kind is told by identity: rows share one object for equal layers.
    """
    known: dict[int, _Found] = {}
    for run in runs:
        kind = id(run.layer)
        if kind not in known:
            known[kind] = ask(run.layer)
        yield known[kind], run.count
