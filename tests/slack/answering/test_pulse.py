from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from threading import Semaphore

from slack_sdk import WebClient

from bot.journal.entries import remember
from bot.journal.open import open_journal
from bot.journal.owed import LEASE, claim
from bot.slack.answering.pulse import Pulse
from bot.slack.desk import Desk
from tests.journal.makers import MONDAY, a_thread, an_entry


def test_what_is_in_hand_is_kept_and_what_is_not_is_let_go(tmp_path: Path) -> None:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    later = MONDAY + LEASE - timedelta(seconds=1)
    beats = Semaphore(0)

    def clock() -> datetime:
        beats.release()
        return later

    pulse = Pulse(Desk(journal, WebClient(), "U0", clock=clock), beat_seconds=0.01)
    pulse.start()
    remember(journal, a_thread(), an_entry(), ["message:1"])
    owed = claim(journal, "w1", MONDAY)
    assert owed is not None

    with pulse.holding(owed):
        assert beats.acquire(timeout=60)
        assert beats.acquire(timeout=60)  # the second beat begins when the first is written down

    pulse.stop()
    assert claim(journal, "w2", MONDAY + LEASE + timedelta(seconds=5)) is None
    assert claim(journal, "w2", later + LEASE + timedelta(seconds=1)) is not None
    journal.close()
