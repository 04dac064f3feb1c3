"""Sending each team's digest when it is due: every process tries, the journal lets one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event, Thread

from bot.journal.digest_rules import Rule, rules
from bot.journal.digests import Slot, is_sent
from bot.reply.document import Document
from bot.slack.desk import Desk
from bot.slack.digests.post import post_digest
from bot.slack.saying.delivery import NotNowError, RefusedError

EVERY_SECONDS = 15.0
LATEST = timedelta(hours=12)  # a digest later than this helps nobody; the next one tells of the week as well
logger = logging.getLogger(__name__)
# What a team's week came to, told in the rule's channel, by the day on which it is due; None: a quiet week.
Telling = Callable[[Desk, Rule, datetime], Document | None]


@dataclass
class Schedule:
    """A thread that looks for what is due."""

    desk: Desk
    tell: Telling
    every_seconds: float = EVERY_SECONDS
    _quiet: set[Slot] = field(default_factory=set[Slot])
    _stop: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin to look."""
        self._thread = Thread(target=self._run, name="schedule", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after what is in hand."""
        self._stop.set()
        if self._thread:
            self._thread.join(15)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.send_due()
            except Exception:  # the journal is out of reach: the next look tries again
                logger.exception("What is due could not be sent")
            self._stop.wait(self.every_seconds)

    def send_due(self) -> None:
        """Send every digest that is due, not too late, and not sent."""
        now = self.desk.clock()
        for rule in rules(self.desk.journal):
            try:
                due = rule.last_due(now)
                if due and now - due <= LATEST and not self._stop.is_set():
                    self._send(rule, due)
            except Exception:  # one team's trouble is not another's
                logger.exception("The digest for %s could not be sent", rule.channel)

    def _send(self, rule: Rule, due: datetime) -> None:
        slot = slot_of(rule, due)
        if slot in self._quiet or is_sent(self.desk.journal, slot):
            return
        desk = self.desk.at(rule.workspace)
        document = self.tell(desk, rule, due)
        if document is None:
            self._quiet.add(slot)
            return
        try:
            post_digest(desk, slot, document)
        except (RefusedError, NotNowError) as error:
            logger.warning("The digest of week %s was not posted in %s: %s", slot.week, slot.channel, error)


def slot_of(rule: Rule, due: datetime) -> Slot:
    """Return the slot of the week before the one in which a digest is due."""
    year, week, _ = (due - timedelta(days=7)).isocalendar()
    return Slot(workspace=rule.workspace, team=rule.team, channel=rule.channel, week=f"{year}-W{week:02d}")
