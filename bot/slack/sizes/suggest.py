"""Names to choose from while somebody types: the models and cards of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from bot.catalog.gpus import cards
from bot.catalog.index import index

MOST = 30  # Slack takes a hundred; nobody reads them


def suggest(fact: str, typed: str) -> tuple[str, ...]:
    """Return the names that hold every word typed, the likeliest first; for an unknown fact none."""
    names = _NAMES.get(fact)
    words = typed.lower().split()
    if names is None or not words:
        return ()
    return tuple(islice((name for name in names() if all(word in name.lower() for word in words)), MOST))


def _models() -> Iterable[str]:
    return (head.id for head in index().heads)


def _cards() -> Iterable[str]:
    return dict.fromkeys(row.card.name for row in cards())


_NAMES: Mapping[str, Callable[[], Iterable[str]]] = {"model": _models, "gpu": _cards}
