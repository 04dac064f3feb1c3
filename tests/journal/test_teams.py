from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.journal.channels import channel, set_channel
from bot.journal.digest_rules import Rule, rules, set_rule
from bot.journal.incidents import file, week
from bot.journal.open import Journal
from bot.journal.teams import Team, all_teams, drop_team, map_channel, owner, set_team, settings_of, team
from tests.journal.makers import MONDAY, an_incident


def a_team(name: str = "inference", **settings: object) -> Team:
    return Team.model_validate({"workspace": "T1", "name": name, **settings})


def owned(journal: Journal, name: str) -> int:
    return len(week(journal, "T1", MONDAY, MONDAY + timedelta(days=7), name))


def nobody_in_a_group(_group: str, _person: str) -> bool:
    return False


def test_a_team_is_kept_as_it_was_set(journal: Journal) -> None:
    wanted = a_team(members=("U1",), leads=("U2",), zone="Europe/Berlin", retention_days=90, quiet_from=1320)

    set_team(journal, wanted)

    assert wanted == team(journal, "T1", "inference")


def test_setting_a_team_again_replaces_its_settings(journal: Journal) -> None:
    set_team(journal, a_team(members=("U1",)))

    set_team(journal, a_team(leads=("U2",)))

    assert (a_team(leads=("U2",)),) == all_teams(journal, "T1")


def test_the_digest_follows_the_zone_of_its_team(journal: Journal) -> None:
    set_rule(journal, Rule(workspace="T1", team="inference", channel="C1", since=MONDAY))

    set_team(journal, a_team(zone="Asia/Tokyo"))

    assert ["Asia/Tokyo"] == [rule.zone for rule in rules(journal)]


@pytest.mark.parametrize("wrong", [{"zone": "Mars/Olympus"}, {"name": "*"}, {"name": " "}, {"retention_days": 0}])
def test_what_no_team_can_have_is_refused_in_a_sentence(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"use|write"):
        a_team(**wrong)


def test_a_new_incident_belongs_to_the_team_of_its_channel(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", team="inference")

    file(journal, an_incident())

    assert 1 == owned(journal, "inference")


def test_an_incident_that_nobody_owns_is_the_workspaces(journal: Journal) -> None:
    file(journal, an_incident())

    assert 1 == owned(journal, "T1")


def test_a_channel_takes_its_incidents_along(journal: Journal) -> None:
    file(journal, an_incident("1"))

    map_channel(journal, "T1", "C1", "inference")

    assert (1, 0) == (owned(journal, "inference"), owned(journal, "T1"))


def test_an_incident_that_somebody_gave_to_another_team_stays_there(journal: Journal) -> None:
    file(journal, an_incident("1", team="search"))

    map_channel(journal, "T1", "C1", "inference")

    assert (0, 1) == (owned(journal, "inference"), owned(journal, "search"))


def test_a_dissolved_team_leaves_its_incidents_to_the_workspace(journal: Journal) -> None:
    set_team(journal, a_team())
    map_channel(journal, "T1", "C1", "inference")
    file(journal, an_incident())

    drop_team(journal, "T1", "inference")

    assert (1, None, ()) == (owned(journal, "T1"), channel(journal, "T1", "C1").team, all_teams(journal))


def test_a_channel_decides_before_the_person_does(journal: Journal) -> None:
    set_team(journal, a_team("search", members=("U1",)))
    set_channel(journal, "T1", "C1", team="inference")

    assert "inference" == owner(journal, "T1", "C1", "U1", nobody_in_a_group)
    assert "search" == owner(journal, "T1", "C2", "U1", nobody_in_a_group)


def test_a_user_group_names_the_team_of_its_people(journal: Journal) -> None:
    set_team(journal, a_team(groups=("S1",)))

    assert "inference" == owner(journal, "T1", "C1", "U9", lambda group, person: (group, person) == ("S1", "U9"))


def test_nobody_known_owns_nothing(journal: Journal) -> None:
    set_team(journal, a_team(groups=("S1",)))

    assert owner(journal, "T1", "C1", "U9", nobody_in_a_group) is None


def test_a_team_without_settings_has_those_of_the_workspace(journal: Journal) -> None:
    set_team(journal, a_team("T1", zone="Europe/Paris"))

    assert "Europe/Paris" == settings_of(journal, "T1", "nobody").zone


@pytest.mark.parametrize(("month", "is_quiet"), [(7, True), (11, False)])
def test_quiet_hours_go_by_the_clocks_of_the_team(month: int, is_quiet: bool) -> None:
    berlin = a_team(zone="Europe/Berlin", quiet_from=20 * 60, quiet_until=7 * 60)

    # 18:30 UTC is 20:30 in a Berlin summer and 19:30 in its winter.
    assert is_quiet == berlin.is_quiet(datetime(2026, month, 15, 18, 30, tzinfo=UTC))
