from __future__ import annotations

import pytest

from bot.journal.open import Journal
from bot.journal.team_sheet import TeamSheet, keep, plain, sheets
from bot.journal.teams import Team, set_team


def test_a_sheet_reads_back_as_it_was_kept(journal: Journal) -> None:
    sheet = TeamSheet(
        name="ml",
        channels=("C1", "C2"),
        zone="Europe/Berlin",
        digest_channel="C9",
        digest_day="friday",
        quiet_hours="20:00-07:00",
    )

    keep(journal, "T1", sheet)

    assert (sheet,) == sheets(journal, "T1")


def test_a_channel_that_left_the_sheet_falls_back_to_the_workspace(journal: Journal) -> None:
    keep(journal, "T1", TeamSheet(name="ml", channels=("C1", "C2")))

    keep(journal, "T1", TeamSheet(name="ml", channels=("C2",)))

    assert ("C2",) == sheets(journal, "T1")[0].channels


def test_a_team_without_a_digest_has_none(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml"))

    assert {"name": "ml"} == plain(sheets(journal, "T1")[0])


@pytest.mark.parametrize(
    "wrong",
    [{"digest_day": "someday"}, {"digest_time": "25:00"}, {"quiet_hours": "9"}, {"zone": "Mars"}, {"name": "*"}],
)
def test_what_cannot_be_meant_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"use|write"):
        TeamSheet.model_validate({"name": "ml", **wrong})
