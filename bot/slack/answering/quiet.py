"""Quiet cases: one reminder, and later they close themselves."""

from __future__ import annotations

from datetime import timedelta

from bot.case import Entry, EntryKind, Thread
from bot.journal.quiet import quiet_since
from bot.slack.desk import Desk
from bot.slack.saying.words import REMINDER

REMIND_AFTER = timedelta(days=3)
CLOSE_AFTER = timedelta(days=7)


def tend_quiet_cases(desk: Desk) -> None:
    """Remind where nothing was heard for three days, close after seven; each once a case."""
    now = desk.clock()
    long_quiet = set(quiet_since(desk.journal, now - CLOSE_AFTER))
    for thread in long_quiet:
        _close(desk, thread)
    for thread in set(quiet_since(desk.journal, now - REMIND_AFTER)) - long_quiet:
        _remind(desk, thread)


def _close(desk: Desk, thread: Thread) -> None:
    entry = Entry(kind=EntryKind.RESOLVED, at=desk.clock())
    desk.take(thread, entry, [f"quiet:{thread.channel}:{thread.root}"])


def _remind(desk: Desk, thread: Thread) -> None:
    days = (CLOSE_AFTER - REMIND_AFTER).days
    entry = Entry(kind=EntryKind.NOTICE, at=desk.clock(), message="reminder", text=REMINDER.format(days=days))
    desk.take(thread, entry, [f"reminder:{thread.channel}:{thread.root}"])
