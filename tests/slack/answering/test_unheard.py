from __future__ import annotations

from pathlib import Path

from bot.journal.open import open_journal
from bot.settings import Settings
from bot.slack.answering.unheard import unheard
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace


def test_a_channel_that_we_are_in_is_strange_until_the_journal_knows_it(tmp_path: Path) -> None:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
        desk = Desk(journal, client(Settings(slack_api_url=workspace.api_url), "xoxb-local"), "")
        help_ = workspace.human().post("#vllm-help", "hello")["channel"]
        ours = {room.id for room in unheard(desk, "T1", ())}

        assert help_ in ours
        assert () == unheard(desk, "T1", ours)
        journal.close()
