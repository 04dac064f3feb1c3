from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.journal.open import open_journal
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.home.groups import groups_of
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    opened = Workspace(manifest=manifest())
    with opened.run_in_thread():
        yield opened


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path) -> Iterator[Desk]:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    yield Desk(journal, client(Settings(slack_api_url=workspace.api_url), "xoxb-local"), "U0")
    journal.close()


def test_groups_are_known_by_their_handle(desk: Desk) -> None:
    assert ["@inference-team"] == list(groups_of(desk, "T1").values())


def test_without_the_scope_there_are_none(desk: Desk, workspace: Workspace) -> None:
    workspace.human().do("scopes", without=["usergroups:read"])

    assert {} == groups_of(desk, "T1")
