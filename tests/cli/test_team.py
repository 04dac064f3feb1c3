from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.case import Thread
from bot.cli.text_files import MOST_READ
from bot.incident import Incident
from bot.journal.channels import channel
from bot.journal.digest_rules import rules
from bot.journal.incidents import file, incident_of
from bot.journal.open import Journal
from bot.journal.teams import PLATFORM, team
from tests.cli.conftest import Run

THREAD = Thread(workspace="T1", channel="C1", root="1")


def test_a_team_is_made_and_shown(run: Run) -> None:
    run("team", "set", "ml", "--workspace", "T1", "--members", "U1, U2", "--quiet-hours", "20:00-7:00")

    shown = run("team", "show", "ml").output

    assert "members:\n  - U1\n  - U2" in shown
    assert "quiet_hours: 20:00-07:00" in shown


def test_what_is_not_given_stays(run: Run, journal: Journal) -> None:
    run("team", "set", "ml", "--workspace", "T1", "--members", "U1", "--retention-days", "30")

    run("team", "set", "ml", "--retention-days", "-")

    kept = team(journal, "T1", "ml")
    assert kept is not None
    assert (("U1",), None) == (kept.members, kept.retention_days)


def test_a_mapped_channel_takes_its_incidents_along(run: Run, journal: Journal) -> None:
    file(journal, Incident(thread=THREAD, opened_at=datetime(2026, 11, 23, tzinfo=UTC)))

    assert "C1 belongs to ml, which is a new team." in run("team", "map", "C1", "ml").output

    found = incident_of(journal, THREAD)
    assert found is not None
    assert ("ml", "ml") == (found.team, channel(journal, "T1", "C1").team)


def test_the_digest_goes_where_and_when_the_team_wants_it(run: Run, journal: Journal) -> None:
    where = ("--digest-channel", "C9", "--digest-day", "friday", "--digest-time", "16:30", "--zone", "Asia/Tokyo")
    run("team", "set", "ml", "--workspace", "T1", *where)

    (rule,) = rules(journal)
    assert ("ml", "C9", 4, 16 * 60 + 30, "Asia/Tokyo") == (
        rule.team,
        rule.channel,
        rule.weekday,
        rule.minute,
        rule.zone,
    )

    run("team", "set", "ml", "--digest-channel", "-")
    assert () == rules(journal)


def test_the_workspaces_own_digest_is_the_platforms(run: Run, journal: Journal) -> None:
    run("team", "set", "T1", "--workspace", "T1", "--digest-channel", "C9")

    assert [PLATFORM] == [rule.team for rule in rules(journal)]


def test_what_was_exported_is_imported_again(run: Run) -> None:
    run("team", "set", "ml", "--workspace", "T1", "--leads", "U1", "--digest-channel", "C9", "--quiet-weeks")
    run("team", "map", "C1", "ml")
    exported = run("team", "export").output
    run("team", "drop", "ml")

    run("team", "import", "-", text=exported)

    assert exported == run("team", "export").output


def test_a_dry_import_changes_nothing(run: Run, journal: Journal) -> None:
    said = run("team", "import", "-", "--workspace", "T1", "--dry-run", text="teams:\n- name: ml\n").output

    assert "ml would be set." in said
    assert team(journal, "T1", "ml") is None


def test_an_import_in_another_encoding_says_which_one_is_wanted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "teams.yaml").write_text("teams:\n- name: ml\n", encoding="utf-16")

    assert "save it as UTF-8" in run("team", "import", str(tmp_path / "teams.yaml")).output


@pytest.mark.parametrize("is_piped", [False, True])
def test_an_import_that_is_too_large_is_refused_and_sets_nothing(
    is_piped: bool, run: Run, journal: Journal, tmp_path: Path
) -> None:
    text = "teams:\n- name: ml\n" + "#" * MOST_READ
    (tmp_path / "teams.yaml").write_text(text)
    name = "-" if is_piped else str(tmp_path / "teams.yaml")

    said = run("team", "import", name, "--workspace", "T1", text=text if is_piped else None)

    assert (1, None) == (said.exit_code, team(journal, "T1", "ml"))
    assert f"cannot read {'standard input' if is_piped else name}: it is larger than 16 MiB" in said.output


def test_an_import_that_is_no_list_of_teams_says_what_was_wanted(run: Run) -> None:
    assert "wanted 'teams:'" in run("team", "import", "-", "--workspace", "T1", text="ml: 1\n").output


def test_a_workspace_is_asked_for_where_there_is_none(run: Run) -> None:
    assert "--workspace" in run("team", "list").output
