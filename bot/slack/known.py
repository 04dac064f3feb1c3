"""What Slack told us lately: kept for a while, and never more than so much of it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Known(Generic[_Value]):
    """Answers by what was asked; a process that never ends forgets all of them when there are too many."""

    def __init__(self, most: int, lasting: timedelta | None = None) -> None:
        self._most = most
        self._lasting = lasting  # None: it never changes
        self._told: dict[Hashable, tuple[_Value, datetime]] = {}

    def get(self, asked: Hashable, now: datetime) -> _Value | None:
        """Return the answer, or None when there is none or it is too old."""
        told = self._told.get(asked)
        if told is None or (self._lasting and now - told[1] >= self._lasting):
            return None
        return told[0]

    def keep(self, asked: Hashable, answer: _Value, now: datetime) -> _Value:
        """Keep an answer and return it."""
        if len(self._told) >= self._most:
            self._told.clear()
        self._told[asked] = (answer, now)
        return answer


@dataclass(frozen=True)
class Told:
    """What Slack told this process of people, groups and messages, each by its workspace."""

    # An admin who is none any more stays one for us as long.
    admins: Known[bool] = field(default_factory=lambda: Known(10_000, timedelta(minutes=5)))
    groups: Known[frozenset[str]] = field(default_factory=lambda: Known(1_000, timedelta(minutes=10)))
    handles: Known[dict[str, str]] = field(default_factory=lambda: Known(1_000, timedelta(minutes=10)))
    addresses: Known[str] = field(default_factory=lambda: Known(10_000))
