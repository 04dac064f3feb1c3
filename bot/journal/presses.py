"""What people pressed and sent: each claimed before it is acted on, so that several processes act once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import delete, select, update

from bot.frozen import Frozen
from bot.journal.entries import insert_or
from bot.journal.open import Journal
from bot.journal.tables import effects

KEPT = timedelta(days=1)
LONGEST_ACT = timedelta(minutes=1)  # whoever takes longer has died, and the next press acts
_ROOT = "press"  # of no thread: a press may stand in a whisper, a view or a command

State = Literal["ours", "under way", "done"]


class Press(Frozen):
    """One thing pressed or sent, however often it comes."""

    workspace: str
    channel: str
    sign: str

    @property
    def row(self) -> dict[str, str]:
        """The key of its row."""
        return {"workspace": self.workspace, "channel": self.channel, "root": _ROOT, "purpose": self.sign}


def press_of(workspace: str, channel: str, told: Iterable[object]) -> Press:
    """Return the press that is told apart from others by these words: where, what, who."""
    words = json.dumps([str(each) for each in told])
    return Press(workspace=workspace, channel=channel, sign=hashlib.sha256(words.encode()).hexdigest()[:32])


def claim(journal: Journal, press: Press, now: datetime, lasting: timedelta = KEPT) -> State:
    """Claim a press, or return what became of the claim before.

    Args:
        journal: What all processes share.
        press: What was pressed.
        now: The time.
        lasting: How long the same press stays the same after it was acted on; later it is a new one.
    """
    with journal.writing() as connection:
        row = {**press.row, "state": "begun", "at": now}
        adding = insert_or(connection, effects).values(row).on_conflict_do_nothing()
        if connection.execute(adding.returning(effects.c.purpose)).first():
            return "ours"
        before = connection.execute(select(effects).filter_by(**press.row).with_for_update()).mappings().first()
        if before is None:
            return "under way"
        is_done = before["state"] == "done"
        if now - before["at"] < (lasting if is_done else LONGEST_ACT):
            return "done" if is_done else "under way"
        connection.execute(update(effects).filter_by(**press.row).values(state="begun", at=now))
    return "ours"


def finish(journal: Journal, press: Press, now: datetime) -> None:
    """Write down that a press was acted on."""
    with journal.writing() as connection:
        connection.execute(update(effects).filter_by(**press.row).values(state="done", at=now))


def give_back(journal: Journal, press: Press) -> None:
    """Forget a claim whose act failed, so that it can be pressed again."""
    _forget(journal, effects.c.purpose == press.sign, workspace=press.workspace, channel=press.channel)


def forget_presses(journal: Journal, now: datetime) -> None:
    """Forget the presses that nobody can repeat any more."""
    _forget(journal, effects.c.at < now - KEPT)


def _forget(journal: Journal, which: Any, **where: str) -> None:
    with journal.writing() as connection:
        connection.execute(delete(effects).filter_by(root=_ROOT, **where).where(which))
