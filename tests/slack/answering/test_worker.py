from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text

from bot.case import Entry, EntryKind, Thread
from bot.journal.entries import remember
from bot.journal.open import Journal, open_journal
from bot.slack.desk import moment
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace
from tests.replica import Replica, environment
from tests.slack.conftest import NO_ROOM, wait_for
from tests.slack.doors.test_serve import replies

pytestmark = pytest.mark.postgres


class Office(NamedTuple):
    """A workspace and a worker that answers what somebody else takes in."""

    workspace: Workspace
    journal: Journal
    worker: Replica

    def take_in(self, text: str) -> str:
        """Post a message and write it down as a serving process would."""
        ts = self.workspace.human().post("#vllm-help", text)["ts"]
        world = self.workspace.rig.world
        channel = next(each.id for each in world.channels.values() if each.name == "vllm-help")
        thread = Thread(workspace=next(iter(world.teams)), channel=channel, root=ts)
        entry = Entry(kind=EntryKind.PASTE, at=moment(ts), author="U1", message=ts, text=text)
        remember(self.journal, thread, entry, [f"message:{channel}:{ts}"])
        return ts


@pytest.fixture
def office(tmp_path: Path, postgres_url: str) -> Iterator[Office]:
    workspace = Workspace(manifest=manifest())
    with workspace.run_in_thread():
        journal = open_journal(postgres_url)
        worker = Replica(("worker",), environment(workspace.api_url, postgres_url), tmp_path / "log")
        worker.start()
        yield Office(workspace, journal, worker)
        worker.kill()
        journal.close()


def test_a_worker_answers_what_others_took_in(office: Office) -> None:
    ts = office.take_in(NO_ROOM)

    assert "KV cache" in office.workspace.human().wait_for_reply("#vllm-help", ts)["text"]
    assert 0 == office.workspace.human().do("sockets")["open"]


def test_a_worker_that_is_told_to_stop_finishes_what_is_in_hand(office: Office) -> None:
    assert office.worker.process
    office.workspace.human().do("fault", kind="delay", on="chat.postMessage", seconds=2)
    ts = office.take_in(NO_ROOM)
    wait_for(lambda: office.workspace.human().calls("chat.postMessage"))

    office.worker.process.send_signal(signal.SIGTERM)

    assert 0 == office.worker.process.wait(60)
    assert 1 == len(replies(office.workspace, ts))
    with office.journal.engine.connect() as connection:
        assert 0 == connection.execute(text("SELECT count(*) FROM cases WHERE taken > answered")).scalar_one()


def test_a_worker_starts_beside_a_successor_that_has_migrated(office: Office) -> None:
    with office.journal.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    office.worker.kill()

    office.worker.start()

    ts = office.take_in(NO_ROOM)
    assert office.workspace.human().wait_for_reply("#vllm-help", ts)
