"""Telling the journal that what is in hand is still in hand."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

from bot.journal.owed import LEASE, Owed, renew
from bot.slack.desk import Desk

_BEAT_SECONDS = LEASE.total_seconds() / 4
logger = logging.getLogger(__name__)


@dataclass
class Pulse:
    """A thread that renews the leases of a worker's hands; when the process dies they run out."""

    desk: Desk
    beat_seconds: float = _BEAT_SECONDS
    _held: set[Owed] = field(default_factory=set[Owed])
    _stop: Event = field(default_factory=Event)

    def start(self) -> None:
        """Begin to beat."""
        Thread(target=self._run, name="pulse", daemon=True).start()

    def stop(self) -> None:
        """Stop; what is still in hand is given up by its leases."""
        self._stop.set()

    @contextmanager
    def holding(self, owed: Owed) -> Generator[None]:
        """Renew a claim until the block ends."""
        self._held.add(owed)
        try:
            yield
        finally:
            self._held.discard(owed)

    def _run(self) -> None:
        while not self._stop.wait(self.beat_seconds):
            for owed in tuple(self._held):
                self._renew(owed)

    def _renew(self, owed: Owed) -> None:
        try:
            if not renew(self.desk.journal, owed, self.desk.clock()) and owed in self._held:
                logger.warning("The claim on thread %s of %s was lost", owed.thread.root, owed.thread.channel)
        except Exception:
            logger.exception("A lease could not be renewed")
