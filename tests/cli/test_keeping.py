from __future__ import annotations

import click
import pytest

from bot.cli.keeping import known_team, known_workspace, workspace_of
from bot.journal.channels import set_channel
from bot.journal.open import Journal
from bot.journal.teams import Team, set_team


def test_the_only_workspace_need_not_be_named(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", mode="auto")

    assert "T1" == workspace_of(journal, None)


def test_of_several_workspaces_one_is_to_be_named(journal: Journal) -> None:
    for workspace in ("T1", "T2"):
        set_channel(journal, workspace, "C1", mode="auto")

    with pytest.raises(click.ClickException, match="T1, T2"):
        workspace_of(journal, None)


def test_a_workspace_that_the_journal_knows_nothing_of_is_refused_by_name(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", mode="auto")

    assert ("T1", None) == (known_workspace(journal, "T1"), known_workspace(journal, None))
    with pytest.raises(click.BadParameter, match="nothing of T2; it holds T1"):
        known_workspace(journal, "T2")


def test_a_team_is_known_by_its_name_and_a_workspace_by_its_id(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml"))

    for name in (None, "ml", "T1"):
        known_team(journal, ["T1"], name)
    with pytest.raises(click.BadParameter, match="no team 'lm'"):
        known_team(journal, ["T1"], "lm")
