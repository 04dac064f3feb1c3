"""Processes that are killed between posting and writing it down."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.journal.digests import Slot, is_sent
from bot.journal.open import Journal, connect, open_journal
from bot.reply.document import Document, Title
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.digests.post import post_digest
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace
from tests.slack.conftest import NO_ROOM, wait_for
from tests.slack.doors.test_serve import replies, served

ROOT = Path(__file__).parents[2]
DOCUMENT = Document(summary="a week", parts=(Title(text="vLLM incidents"),))
# The process kills itself where a power cut would hurt most: Slack has it, the journal does not.
SERVE = """
import os, bot.slack.saying.delivery as delivery
delivery.finish = lambda *_, **__: os.kill(os.getpid(), 9)
from bot.cli.main import main
main(["serve"])
"""
DIGEST = """
import os, sys, bot.slack.digests.post as digests
from bot.journal.open import open_journal
from bot.journal.digests import Slot
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from tests.slack.test_crashes import DOCUMENT
digests.fill_slot = lambda *_: os.kill(os.getpid(), 9)
settings = Settings()
slot = Slot.model_validate_json(sys.argv[1])
desk = Desk(open_journal(settings.database_url), client(settings, "xoxb-local"), "")
digests.post_digest(desk, slot, DOCUMENT)
"""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'journal.sqlite3'}"


def run_and_die(program: str, workspace: Workspace, database: str, *arguments: str) -> int:
    """Run a program that kills itself and return its exit code."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SLACK_BOT_TOKEN": "xoxb-local",
        "SLACK_APP_TOKEN": "xapp-local",
        "SLACK_API_URL": workspace.api_url,
        "DATABASE_URL": database,
    }
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], env=environment, stdout=subprocess.DEVNULL)
    if not arguments:
        wait_for(lambda: workspace.human().do("sockets")["open"])
        workspace.human().post("#vllm-help", f"@vllm-triage {NO_ROOM}")
    return process.wait(60)


def test_a_reply_that_was_posted_and_not_written_down_is_not_posted_again(workspace: Workspace, database: str) -> None:
    assert -9 == run_and_die(SERVE, workspace, database)
    ts = workspace.human().messages("#vllm-help")[-1]["ts"]
    assert 1 == len(replies(workspace, ts))

    with served(workspace, database):
        journal = Journal(connect(database))
        wait_for(lambda: not owed(journal))
        journal.close()

    assert 1 == len(replies(workspace, ts))


def owed(journal: Journal) -> int:
    with journal.engine.connect() as connection:
        return connection.execute(text("SELECT count(*) FROM cases WHERE taken > answered")).scalar_one()


def test_a_digest_that_was_posted_and_not_written_down_is_not_posted_again(workspace: Workspace, database: str) -> None:
    team, channel = next(iter(workspace.rig.world.teams)), channel_id(workspace)
    slot = Slot(workspace=team, team="ml", channel=channel, week="2026-W47")
    assert -9 == run_and_die(DIGEST, workspace, database, slot.model_dump_json())
    journal = open_journal(database)
    with journal.writing() as connection:  # two minutes later
        connection.execute(text("UPDATE digest_slots SET claimed_at = :then"), {"then": two_minutes_ago()})

    settings = Settings(slack_api_url=workspace.api_url)
    assert not post_digest(Desk(journal, client(settings, "xoxb-local"), ""), slot, DOCUMENT)

    assert is_sent(journal, slot)
    assert 1 == len([each for each in workspace.human().messages("#vllm-help") if each.get("bot_id")])
    journal.close()


def test_a_digest_whose_sender_died_before_posting_is_posted(workspace: Workspace, database: str) -> None:
    team, channel = next(iter(workspace.rig.world.teams)), channel_id(workspace)
    slot = Slot(workspace=team, team="ml", channel=channel, week="2026-W47")
    journal = open_journal(database)
    with journal.writing() as connection:
        row = {**slot.model_dump(), "then": two_minutes_ago()}
        connection.execute(
            text("INSERT INTO digest_slots VALUES (:workspace, :team, :channel, :week, :then, NULL)"), row
        )

    settings = Settings(slack_api_url=workspace.api_url)
    assert post_digest(Desk(journal, client(settings, "xoxb-local"), ""), slot, DOCUMENT)

    assert is_sent(journal, slot)
    journal.close()


def two_minutes_ago() -> str:
    return (datetime.now(UTC) - timedelta(minutes=2)).strftime("%Y-%m-%d %H:%M:%S.%f")


def channel_id(workspace: Workspace) -> str:
    return next(each.id for each in workspace.rig.world.channels.values() if each.name == "vllm-help")
