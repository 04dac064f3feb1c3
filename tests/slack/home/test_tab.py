from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from slack_sdk import WebClient

from bot.case import Thread
from bot.incident import Incident
from bot.journal.channels import set_channel
from bot.journal.incidents import file
from bot.journal.open import open_journal
from bot.slack.desk import Desk
from bot.slack.home.tab import home
from tests.journal.makers import MONDAY


def test_of_many_channels_that_of_the_newest_case_is_shown_first(tmp_path: Path) -> None:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    for number in range(30):
        set_channel(journal, "T1", f"C{number}", name=f"channel-{number:02}", is_private=False)
        thread = Thread(workspace="T1", channel=f"C{number}", root=f"17640000{number:02}.000100")
        file(journal, Incident(thread=thread, opener="U1", opened_at=MONDAY + timedelta(hours=number)))

    shown = home(
        Desk(journal, WebClient(base_url="http://127.0.0.1:9/api/", retry_handlers=[]), "U0", clock=lambda: MONDAY),
        "T1",
        "U1",
    )

    journal.close()
    rooms = [block for block in shown["blocks"] if str(block.get("text", {}).get("text")).startswith("<#")]
    assert "<#C29>" in rooms[0]["text"]["text"]
