from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.case import Thread
from bot.incident import Incident
from bot.journal.channels import set_channel
from bot.journal.digests import Slot, is_sent
from bot.journal.incidents import file
from bot.journal.open import Journal, open_journal
from bot.reply.document import Document
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.digests.post import post_digest
from bot.slack.operating.manifest import manifest
from bot.slack.saying.delivery import NotNowError
from bot.weekly.compose import digest
from bot.weekly.gather import gather
from bot.weekly.weeks import week_of
from bot.workspace.server import Workspace

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
CHANNEL = "#vllm-help"


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    set_channel(opened, "T1", "C1", name="help", is_private=False)
    for days in range(-20, 6):
        root = f"{(MONDAY + timedelta(days=days)).timestamp():.6f}"
        thread = Thread(workspace="T1", channel="C1", root=root)
        opened_at = MONDAY + timedelta(days=days)
        told = {"title": f"Problem {days % 3}", "problem": f"p{days % 3}", "cause": f"c{days % 3}", "model": "org/m"}
        file(opened, Incident(thread=thread, opened_at=opened_at, state="resolved", fingerprint=f"p{days % 3}", **told))
    yield opened
    opened.close()


@pytest.fixture
def document(journal: Journal) -> Document:
    return digest(gather(journal, "T1", "T1", week_of(MONDAY)), lambda _: None)


@pytest.fixture
def slot(workspace: Workspace) -> Slot:
    channel = workspace.human().post(CHANNEL, "hello")["channel"]
    return Slot(workspace="T1", team="T1", channel=channel, week="2026-W48")


def desk_of(workspace: Workspace, journal: Journal) -> Desk:
    return Desk(journal, client(Settings(slack_api_url=workspace.api_url), "xoxb-local"), "")


def posted(workspace: Workspace) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the digest's message and what stands in its thread."""
    (message,) = [each for each in workspace.human().messages(CHANNEL) if each.get("bot_id")]
    return message, workspace.human().replies(CHANNEL, message["ts"])


def file_names(replies: list[dict[str, Any]]) -> list[str]:
    return sorted(file["name"] for reply in replies for file in reply.get("files") or ())


def test_a_digest_is_short_and_has_charts_and_its_thread_the_rest(
    workspace: Workspace, journal: Journal, slot: Slot, document: Document
) -> None:
    assert post_digest(desk_of(workspace, journal), slot, document)

    message, replies = posted(workspace)
    assert 2 == str(message["blocks"]).count("data_visualization")
    assert "By model" not in str(message["blocks"])
    assert "By model" in str(replies)
    assert ["vllm-incidents-2026-W48.csv"] == file_names(replies)


def test_where_slack_draws_no_charts_they_go_as_letters_and_pictures(
    workspace: Workspace, journal: Journal, slot: Slot, document: Document
) -> None:
    workspace.human().do("fault", kind="error", on="chat.postMessage", error="invalid_blocks")

    assert post_digest(desk_of(workspace, journal), slot, document)

    message, replies = posted(workspace)
    assert "data_visualization" not in str(message["blocks"])
    assert "█" in str(message["blocks"])
    assert ["Incidents by week.png", "Top causes.png", "vllm-incidents-2026-W48.csv"] == file_names(replies)


def test_a_digest_that_slack_keeps_waiting_is_free_to_be_sent_again(
    workspace: Workspace, journal: Journal, slot: Slot, document: Document
) -> None:
    desk = desk_of(workspace, journal)
    workspace.human().do("fault", kind="rate_limited", on="chat.postMessage")
    with pytest.raises(Exception, match="again in"):
        post_digest(desk, slot, document)

    assert post_digest(desk, slot, document)

    assert is_sent(journal, slot)
    assert posted(workspace)


def test_what_the_thread_lacks_is_added_by_whoever_takes_over(
    workspace: Workspace, journal: Journal, slot: Slot, document: Document
) -> None:
    desk = desk_of(workspace, journal)
    workspace.human().do("fault", kind="rate_limited", on="chat.postMessage", after=1)
    with pytest.raises(Exception, match="again in"):
        post_digest(desk, slot, document)
    later = datetime.now(UTC) - timedelta(minutes=2)
    with journal.writing() as connection:
        connection.exec_driver_sql("UPDATE digest_slots SET claimed_at = ?", (later.strftime("%Y-%m-%d %H:%M:%S.%f"),))

    post_digest(desk, slot, document)

    message, replies = posted(workspace)
    assert message
    assert "By model" in str(replies)
    assert is_sent(journal, slot)


def test_what_surely_did_not_reach_slack_frees_its_slot_at_once(
    workspace: Workspace, journal: Journal, slot: Slot, document: Document
) -> None:
    away = Desk(journal, client(Settings(slack_api_url="http://127.0.0.1:1/api/"), "xoxb-local"), "")

    with pytest.raises(NotNowError) as busy:
        post_digest(away, slot, document)

    assert not busy.value.is_lost
    assert post_digest(desk_of(workspace, journal), slot, document)
