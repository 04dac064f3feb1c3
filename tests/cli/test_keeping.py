from __future__ import annotations

from datetime import UTC, datetime

import click
import pytest

from bot.cli.keeping import read_day, workspace_of
from bot.journal.channels import set_channel
from bot.journal.open import Journal


def test_the_only_workspace_need_not_be_named(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", mode="auto")

    assert "T1" == workspace_of(journal, None)


def test_of_several_workspaces_one_is_to_be_named(journal: Journal) -> None:
    for workspace in ("T1", "T2"):
        set_channel(journal, workspace, "C1", mode="auto")

    with pytest.raises(click.ClickException, match="T1, T2"):
        workspace_of(journal, None)


def test_a_day_begins_at_midnight_in_utc_where_no_zone_is_named() -> None:
    assert datetime(2026, 11, 23, tzinfo=UTC) == read_day("2026-11-23")
    assert read_day(None) is None
