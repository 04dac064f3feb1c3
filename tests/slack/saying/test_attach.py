from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.case import Thread
from bot.consult import size
from bot.journal.effects import begin
from bot.journal.open import Journal, open_journal
from bot.reply.block_kit import Attachment
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk, now
from bot.slack.operating.manifest import manifest
from bot.slack.saying.attach import attach, picture, upload
from bot.slack.saying.delivery import Message, NotNowError
from bot.workspace.server import Workspace


class Office(NamedTuple):
    """A thread of the local workspace, and the desk that uploads into it."""

    workspace: Workspace
    desk: Desk
    thread: Thread

    def files(self) -> list[str]:
        said = self.workspace.human().replies("#vllm-help", self.thread.root)
        return [file["name"] for message in said for file in message.get("files", ())]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        ours = client(Settings(slack_api_url=workspace.api_url), "xoxb-local")
        journal: Journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
        world = workspace.rig.world
        channel = next(each.id for each in world.channels.values() if each.name == "vllm-help")
        root = workspace.human().post("#vllm-help", "a paste")["ts"]
        thread = Thread(workspace=next(iter(world.teams)), channel=channel, root=root)
        yield Office(workspace, Desk(journal, ours, str(ours.auth_test()["user_id"])), thread)
        journal.close()


def test_a_file_is_uploaded_once(office: Office) -> None:
    for _ in range(2):
        upload(office.desk, office.thread, "file:1", "command.sh", "vllm serve")

    assert ["command.sh"] == office.files()


@pytest.mark.parametrize("kind", ["lost_answer", "lost_call"])
def test_a_file_whose_upload_was_not_confirmed_is_looked_for_first(office: Office, kind: str) -> None:
    office.workspace.human().do("fault", kind=kind, on="files.completeUploadExternal")
    with pytest.raises(NotNowError):
        upload(office.desk, office.thread, "file:1", "command.sh", "vllm serve")

    upload(office.desk, office.thread, "file:1", "command.sh", "vllm serve")

    assert ["command.sh"] == office.files()


def test_a_file_whose_upload_a_crash_broke_off_is_uploaded(office: Office) -> None:
    begin(office.desk.journal, office.thread, "file:1", now())

    upload(office.desk, office.thread, "file:1", "command.sh", "vllm serve")

    assert ["command.sh"] == office.files()


def test_without_the_scope_there_is_no_file_and_no_fault(office: Office) -> None:
    office.workspace.human().do("scopes", without=["files:write"])

    upload(office.desk, office.thread, "file:1", "command.sh", "vllm serve")

    assert [] == office.files()


def test_what_may_not_be_uploaded_is_said_in_messages(office: Office) -> None:
    office.workspace.human().do("scopes", without=["files:write"])
    long = "vllm serve m " + "--flag value " * 1_000

    attach(office.desk, office.thread, Message("", files=(Attachment(name="command-1.sh", text=long),)))

    said = office.workspace.human().replies("#vllm-help", office.thread.root)
    assert long == "".join(run["text"] for each in said for run in each["blocks"][0]["elements"][0]["elements"])


def test_a_budget_is_drawn_once_and_told_in_words(office: Office) -> None:
    budget = size("llama-3.1-8b on L4").diagnosis.budget
    assert budget
    for _ in range(2):
        picture(office.desk, office.thread, budget)

    assert ["budget.png"] == office.files()
    (message,) = office.workspace.human().replies("#vllm-help", office.thread.root)
    assert "weights" in message["files"][0]["alt_txt"]
