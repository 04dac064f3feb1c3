from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.journal.channels import set_channel
from bot.journal.incidents import file
from bot.journal.open import Journal, open_journal
from bot.journal.teams import PLATFORM, Team, set_team
from bot.weekly.compose import digest
from bot.weekly.gather import everybody, gather, teams_to_tell, zone_of
from tests.weekly.makers import MONDAY, WEEK, a_link, an_incident, links, plain


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    yield opened
    opened.close()


def told(journal: Journal, team: str = "T1", reader: str | None = None) -> list[str]:
    return links(digest(gather(journal, "T1", team, WEEK, reader), a_link))


def test_what_is_open_is_linked_where_everybody_may_read_it(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", is_private=False)
    file(journal, an_incident(title="No room"))

    assert 1 == len(told(journal))


@pytest.mark.parametrize(("reader", "count"), [(None, 0), ("C9", 0), ("C1", 1)])
@pytest.mark.parametrize("is_private", [True, None])
def test_a_private_channel_is_counted_and_linked_only_to_itself(
    journal: Journal, reader: str | None, count: int, is_private: bool | None
) -> None:
    set_channel(journal, "T1", "C1", is_private=is_private)
    file(journal, an_incident(title="No room"))

    assert count == len(told(journal, reader=reader))
    assert 1 == len(gather(journal, "T1", "T1", WEEK, reader).incidents)


def test_every_owning_team_has_its_own_digest_and_the_platform_has_all(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", team="search")
    file(journal, an_incident(0, "C1"))
    file(journal, an_incident(1, "C2"))

    counts = {team: len(gather(journal, "T1", team, WEEK).incidents) for team in teams_to_tell(journal, "T1")}

    assert {"search": 1, "T1": 1, PLATFORM: 2} == counts


def test_a_workspace_without_teams_has_one_digest(journal: Journal) -> None:
    file(journal, an_incident())

    assert (("T1", "T1"),) == everybody(journal)
    assert "this workspace" == gather(journal, "T1", "T1", WEEK).team


def test_another_workspace_tells_nothing_of_ours(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", is_private=False)
    file(journal, an_incident(title="No room"))

    elsewhere = gather(journal, "T2", PLATFORM, WEEK)

    assert ((), {}, 0) == (elsewhere.incidents, elsewhere.rooms, elsewhere.left_open)


def test_the_week_is_told_against_the_weeks_before(journal: Journal) -> None:
    for days in (0, 1, -3, -20):
        file(journal, an_incident(days, fingerprint="p/c", problem="p"))

    gathered = gather(journal, "T1", "T1", WEEK)

    assert (2, 1) == (len(gathered.incidents), len(gathered.before))
    assert [0, 0, 0, 0, 1, 0, 1, 2] == [count for _, count in gathered.trend]
    assert frozenset({"p/c"}) == gathered.known


def test_older_open_cases_are_named(journal: Journal) -> None:
    file(journal, an_incident(-20))

    assert "1 older" in plain(digest(gather(journal, "T1", "T1", WEEK), a_link))


def test_a_team_is_told_by_its_own_clocks(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml", zone="Asia/Tokyo"))

    assert (ZoneInfo("Asia/Tokyo"), ZoneInfo("UTC")) == (zone_of(journal, "T1", "ml"), zone_of(journal, "T1", PLATFORM))
    assert MONDAY.tzinfo is not None
