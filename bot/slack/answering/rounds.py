"""What is looked after from time to time: messages that were missed, cases that have gone quiet, what has expired."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from threading import Event, Thread

from bot.journal.forget import forget_expired
from bot.journal.presses import forget_presses
from bot.journal.requests import forget_answered
from bot.slack.answering.back_fill import back_fill, marks
from bot.slack.answering.quiet import tend_quiet_cases
from bot.slack.desk import Desk

EVERY_SECONDS = 600.0
_GRACE_SECONDS = 1.0  # a connection that was cut is first made again
logger = logging.getLogger(__name__)


@dataclass
class Rounds:
    """A thread that goes its rounds, sooner when something was missed."""

    desk: Desk
    _marks: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _before: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _soon: Event = field(default_factory=Event)
    _stop: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def mark(self) -> None:
        """Note how far we have read; to be called while nothing new can come."""
        self._marks = marks(self.desk) | self._marks

    def missed(self) -> None:
        """Say that the connection was cut: read up what was said since the mark."""
        self.mark()
        self._soon.set()

    def start(self) -> None:
        """Begin with what was missed before we came."""
        self._soon.set()
        self._thread = Thread(target=self._run, name="rounds", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after what is in hand."""
        self._stop.set()
        self._soon.set()
        if self._thread:
            self._thread.join(5)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._soon.wait(EVERY_SECONDS)
            self._soon.clear()
            self._stop.wait(_GRACE_SECONDS if self._marks else 0)
            if not self._stop.is_set():
                self._go()

    def _go(self) -> None:
        """Read up what was missed; now and then also what came to nobody, from where the last round began."""
        was_missed = bool(self._marks)
        since, self._marks = self._marks | self._before, {}
        try:
            self._before = marks(self.desk)
            back_fill(self.desk, since, with_threads=was_missed)
            tend_quiet_cases(self.desk)
            forget_answered(self.desk.journal, self.desk.clock())
            forget_presses(self.desk.journal, self.desk.clock())
            forget_expired(self.desk.journal, self.desk.clock())
        except Exception:  # the next round tries again
            logger.exception("The rounds were broken off")
