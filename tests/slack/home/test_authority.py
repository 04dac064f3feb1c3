from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.journal.channels import set_channel
from bot.journal.open import Journal, open_journal
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.desk import Desk
from bot.slack.home.authority import may_administer
from bot.slack.home.tab import home
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest(), other_teams={"Rival": "xoxb-rival"})
    with made.run_in_thread():
        yield made


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    yield opened
    opened.close()


@pytest.fixture
def desk(workspace: Workspace, journal: Journal) -> Desk:
    ours = client(Settings(slack_api_url=workspace.api_url), "xoxb-local")
    return Desk(journal, ours, "U0", leads=frozenset({"ULEAD"}))


def team(workspace: Workspace, name: str = "Local") -> str:
    return next(each.id for each in workspace.rig.world.teams.values() if each.name == name)


def person(workspace: Workspace, name: str) -> str:
    here = team(workspace)
    return next(each.id for each in workspace.rig.world.users.values() if (each.team, each.name) == (here, name))


def test_admins_and_leads_may_and_others_may_not(desk: Desk, workspace: Workspace) -> None:
    here = team(workspace)

    assert may_administer(desk, here, person(workspace, "maya"))
    assert may_administer(desk, here, "ULEAD")
    assert not may_administer(desk, here, person(workspace, "jonas"))
    assert not may_administer(desk, here, "UNOBODY")


def test_an_admin_of_another_company_may_not(desk: Desk, workspace: Workspace) -> None:
    assert not may_administer(desk, team(workspace, "Rival"), person(workspace, "maya"))


def test_without_the_scope_only_leads_may(desk: Desk, workspace: Workspace) -> None:
    workspace.human().do("scopes", without=["users:read"])

    assert not may_administer(desk, team(workspace), person(workspace, "maya"))


def test_slack_is_asked_once(desk: Desk, workspace: Workspace) -> None:
    for _ in range(3):
        may_administer(desk, team(workspace), person(workspace, "jonas"))

    assert 1 == len(workspace.human().calls("users.info"))


def test_the_home_tab_offers_settings_to_those_who_may_change_them(desk: Desk, workspace: Workspace) -> None:
    here = team(workspace)
    set_channel(desk.journal, here, "C1", mode="auto", is_private=False)

    shown = [str(home(desk, here, person(workspace, name))) for name in ("maya", "jonas")]

    assert [True, False] == ["vt1:mode:home" in view for view in shown]
