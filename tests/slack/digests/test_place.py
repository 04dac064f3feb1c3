from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.journal.channels import set_channel
from bot.journal.open import Journal, open_journal
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.digests.place import look_for_channel
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    yield opened
    opened.close()


def a_desk(journal: Journal, url: str = "http://127.0.0.1:1/api/") -> Desk:
    return Desk(journal, client(Settings(slack_api_url=url), "xoxb-local"), "")


@pytest.mark.parametrize("named", ["C7", "#C7", "<#C7|help>", " help ", "#help"])
def test_a_channel_is_known_by_id_link_and_name(journal: Journal, named: str) -> None:
    set_channel(journal, "T1", "C7", name="help")

    assert "C7" == look_for_channel(a_desk(journal), "T1", named)


def test_a_name_that_the_journal_does_not_know_is_asked_of_slack(journal: Journal) -> None:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        channel = workspace.human().post("#vllm-help", "hello")["channel"]
        desk = a_desk(journal, workspace.api_url)

        assert channel == look_for_channel(desk, "T1", "#vllm-help")
        assert look_for_channel(desk, "T1", "#nowhere") is None
