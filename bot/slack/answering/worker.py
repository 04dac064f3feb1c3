"""Answering what is owed, a thread at a time, until nothing is."""

from __future__ import annotations

import logging
import os
import sys
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event, Thread

from bot.journal.owed import Owed, claim, next_due, postpone, settle
from bot.slack.answering.attend import attend
from bot.slack.answering.pulse import Pulse
from bot.slack.api.accounts import NotInstalledError
from bot.slack.desk import Desk
from bot.slack.metrics import OUTCOMES
from bot.slack.saying.delivery import Message, NotNowError, RefusedError, show
from bot.slack.saying.words import FAILED, MISSING_SCOPE

HANDS = 4  # threads: while one waits for Slack, others read and size
_SWITCH_SECONDS = 0.001  # between threads; with Python's own 5 ms an acknowledgement waits behind every busy hand
IDLE_SECONDS = 1.0  # another process may take entries without ringing our bell
MOST_ATTEMPTS = 6
logger = logging.getLogger(__name__)


@dataclass
class Worker:
    """A few threads that answer what is owed; at start that includes what an earlier process left."""

    desk: Desk
    hands: int = HANDS
    _stop: Event = field(default_factory=Event)
    _threads: list[Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pulse = Pulse(self.desk)

    def start(self) -> None:
        """Begin to answer."""
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._pulse.start()
        self._threads = [Thread(target=self._run, name=f"worker-{n}", daemon=True) for n in range(self.hands)]
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float = 10) -> None:
        """Finish what is in hand and stop."""
        self._stop.set()
        self.desk.bell.set()
        for thread in self._threads:
            thread.join(seconds)
        self._pulse.stop()

    def _run(self) -> None:
        name = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        while not self._stop.is_set():
            self.desk.bell.clear()
            try:
                while not self._stop.is_set() and work_once(self.desk, name, self._pulse):
                    pass
                self.desk.bell.wait(self._pause())
            except Exception:  # the journal is out of reach: say so, and try again
                logger.exception("The worker could not read what is owed")
                self._stop.wait(IDLE_SECONDS)

    def _pause(self) -> float:
        due = next_due(self.desk.journal)
        if due is None:
            return IDLE_SECONDS
        return min(IDLE_SECONDS, max(0.01, (due - self.desk.clock()).total_seconds()))


def work_once(desk: Desk, worker: str, pulse: Pulse) -> bool:
    """Answer one thread that is owed an answer; False when none is due."""
    owed = claim(desk.journal, worker, desk.clock())
    if owed is None:
        return False
    with pulse.holding(owed):
        OUTCOMES.labels(_work(desk, owed)).inc()
    return True


def _work(desk: Desk, owed: Owed) -> str:
    """Attend to a claimed thread and return what came of it."""
    try:
        desk = desk.at(owed.thread.workspace)
        attend(desk, owed.thread)
    except NotNowError as busy:
        postpone(desk.journal, owed, desk.clock() + timedelta(seconds=busy.seconds), is_failure=False)
        return "postponed"
    except RefusedError as refusal:
        _give_up(desk, owed, f"Slack refused: {refusal}", refusal.scope)
        return "refused"
    except NotInstalledError:  # taken off between the paste and the answer
        settle(desk.journal, owed)
        return "uninstalled"
    except Exception:
        logger.exception("Thread %s of %s", owed.thread.root, owed.thread.channel)
        _try_again(desk, owed)
        return "failed"
    settle(desk.journal, owed)
    return "answered"


def _try_again(desk: Desk, owed: Owed) -> None:
    if owed.attempts + 1 >= MOST_ATTEMPTS:
        _give_up(desk, owed, "attempts are used up")
        return
    postpone(desk.journal, owed, desk.clock() + timedelta(seconds=0.2 * 2**owed.attempts))


def _give_up(desk: Desk, owed: Owed, because: str, scope: str | None = None) -> None:
    """Say honestly, once, that we failed, with a reference that the log has too."""
    reference = uuid.uuid4().hex[:8]
    logger.error(
        "Reference %s: gave up on thread %s of %s: %s", reference, owed.thread.root, owed.thread.channel, because
    )
    try:
        text = MISSING_SCOPE if scope else FAILED
        show(desk, owed.thread, "failure", Message(text.format(reference=reference, scope=scope)))
    except NotNowError as busy:  # it is told, or done after all, when Slack listens again
        postpone(desk.journal, owed, desk.clock() + timedelta(seconds=busy.seconds), is_failure=False)
        return
    except RefusedError as refusal:
        logger.error("Reference %s: the thread could not be told: %s", reference, refusal)  # noqa: TRY400 - no bug of ours
    settle(desk.journal, owed)
