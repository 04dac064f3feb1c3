"""Of what comes for one thing while that is seen to, only the newest is seen to next: whoever types fast waits for one answer, not for ten."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Newest(Generic[T]):
    """Who sees to what in this process, and what came in the meantime; nobody waits for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begun: dict[str, datetime] = {}
        self._next: dict[str, tuple[datetime, T]] = {}

    def see_to(self, key: str, at: datetime, what: T, act: Callable[[T], None]) -> None:
        """Act on it and on what comes meanwhile, or leave it to whoever acts for that key; what is older is let go.

        Args:
            key: What for; of each one act at most is under way.
            at: When it came about.
            what: What came.
            act: Sees to it; where that fails, what came meanwhile is seen to all the same.
        """
        if not self._is_ours(key, at, what):
            return
        while (taken := self._take(key)) is not None:
            try:
                act(taken)
            except Exception:
                logger.exception("What came for a view could not be seen to")

    def _is_ours(self, key: str, at: datetime, what: T) -> bool:
        """Put it next, unless something newer is; return whether nobody acts for that key."""
        with self._lock:
            begun, following = self._begun.get(key), self._next.get(key)
            if (begun is None or begun <= at) and (following is None or following[0] <= at):
                self._next[key] = at, what
            if begun is None:
                self._begun[key] = at
            return begun is None

    def _take(self, key: str) -> T | None:
        """Return what is next, or None where nothing came, and we are done."""
        with self._lock:
            if key not in self._next:
                del self._begun[key]
                return None
            self._begun[key], what = self._next.pop(key)
            return what
