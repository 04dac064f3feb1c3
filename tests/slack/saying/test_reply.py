from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from slack_sdk import WebClient

from bot.case import Case, Thread
from bot.consult import ask
from bot.journal.channels import set_channel
from bot.journal.open import Journal, open_journal
from bot.journal.teams import Team, set_team
from bot.slack.desk import Desk
from bot.slack.saying.reply import escalation
from tests.slack.conftest import NO_ROOM

THREAD = Thread(workspace="T1", channel="C1", root="1")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    set_channel(opened, "T1", "C1", team="ml")
    yield opened
    opened.close()


def called_at(journal: Journal, hour: int) -> str:
    """Return the escalation's blocks at that hour in UTC, which is one earlier than in Berlin."""
    now = datetime(2026, 11, 30, hour, 30, tzinfo=UTC)
    desk = Desk(journal, cast("WebClient", None), "", clock=lambda: now)
    return str(escalation(desk, THREAD, Case(opener="U1"), ask(NO_ROOM)).blocks)


def test_an_escalation_calls_the_group_of_the_owning_team(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml", escalation="S1"))

    assert "'usergroup_id': 'S1'" in called_at(journal, 12)


def test_a_channels_own_helpers_come_first(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml", escalation="S1"))
    set_channel(journal, "T1", "C1", helpers="S2")

    assert "'usergroup_id': 'S2'" in called_at(journal, 12)


@pytest.mark.parametrize(("hour", "is_called"), [(5, False), (6, True), (18, True), (19, False)])
def test_nobody_is_called_in_quiet_hours_and_the_thread_is_told(journal: Journal, hour: int, is_called: bool) -> None:
    night = {"quiet_from": 20 * 60, "quiet_until": 7 * 60}
    set_team(journal, Team(workspace="T1", name="ml", escalation="S1", zone="Europe/Berlin", **night))

    assert is_called == ("S1" in called_at(journal, hour))
    assert is_called != ("quiet hours until 07:00" in called_at(journal, hour))
