from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.case import Thread
from bot.cli.main import program
from bot.incident import Incident
from bot.journal.channels import set_channel
from bot.journal.incidents import file
from bot.journal.open import open_journal
from bot.slack.operating.manifest import manifest
from bot.workspace.server import Workspace

ROOT = Path(__file__).parent.parent.parent
MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    journal = open_journal(url)
    set_channel(journal, "T1", "C1", is_private=False, team="inference")
    thread = Thread(workspace="T1", channel="C1", root="1764000000.000100")
    file(journal, Incident(thread=thread, opened_at=MONDAY, title="No room for the KV cache", gpu="L4", model="m"))
    journal.close()
    return url


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest())
    with made.run_in_thread():
        yield made


def told(database: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DATABASE_URL": database, **environment}
    command = [sys.executable, "-m", "bot.cli.main", "digest", *arguments]
    return subprocess.run(command, env=known, capture_output=True, text=True, check=False)


def test_a_week_is_told_in_the_terminal(database: str) -> None:
    said = told(database, "--week", "2026-W48").stdout

    assert "inference" in said
    assert "1 incident" in said
    assert "No room for the KV cache" in said


def test_a_week_is_told_in_a_window_and_whole_with_details(database: str) -> None:
    short, whole = (told(database, "--week", "2026-W48", *look).stdout for look in ((), ("--details",)))

    assert "More with --details: charts, every open case" in short
    assert "app_redirect" not in short
    assert "app_redirect" in whole
    assert "By GPU" in whole
    assert "More with" not in whole


def test_a_week_without_incidents_says_so(database: str) -> None:
    assert "No incidents" in told(database, "--week", "2025-W01").stdout


def test_a_week_that_is_none_is_refused(database: str) -> None:
    run = told(database, "--week", "soon")

    assert 2 == run.returncode
    assert "2026-W48" in run.stderr


def test_posting_without_a_token_names_it(database: str) -> None:
    run = told(database, "--week", "2026-W48", "--post", "C1")

    assert 1 == run.returncode
    assert "SLACK_BOT_TOKEN" in run.stderr


def test_a_digest_is_posted_once(database: str, workspace: Workspace) -> None:
    slack = {"SLACK_BOT_TOKEN": "xoxb-local", "SLACK_API_URL": workspace.api_url}
    maya = workspace.human()
    channel = maya.post("#vllm-help", "hello")["channel"]

    for _ in range(2):
        run = told(database, "--week", "2026-W48", "--post", channel, **slack)
        assert 0 == run.returncode, run.stderr

    posted = [message for message in maya.messages("#vllm-help") if "vLLM incidents" in str(message.get("blocks"))]
    assert 1 == len(posted)


def test_where_slack_is_out_of_reach_nothing_is_held_back(database: str, workspace: Workspace) -> None:
    channel = workspace.human().post("#vllm-help", "hello")["channel"]
    away, there = (
        {"SLACK_BOT_TOKEN": "xoxb-local", "SLACK_API_URL": url}
        for url in ("http://127.0.0.1:1/api/", workspace.api_url)
    )

    refused, sent = (told(database, "--week", "2026-W48", "--post", channel, **slack) for slack in (away, there))

    assert "out of reach" in refused.stderr
    assert f"posted in {channel}" in sent.stdout


def test_a_channel_has_one_slot_however_it_is_called(database: str, workspace: Workspace) -> None:
    slack = {"SLACK_BOT_TOKEN": "xoxb-local", "SLACK_API_URL": workspace.api_url}
    channel = workspace.human().post("#vllm-help", "hello")["channel"]

    spelled = ("vllm-help", "#vllm-help", channel, f"<#{channel}|vllm-help>")
    said = [told(database, "--week", "2026-W48", "--post", name, **slack).stdout for name in spelled]

    before = f"inference, 2026-W48: was posted before in {channel}.\n"
    assert [f"inference, 2026-W48: posted in {channel}.\n", before, before, before] == said


def test_a_dry_run_asks_nobody_and_knows_the_channels_of_the_journal(database: str) -> None:
    known, unknown = (told(database, "--week", "2026-W48", "--post", name, "--dry-run") for name in ("C1", "#nowhere"))

    assert "would post" in known.stdout
    assert (2, True) == (unknown.returncode, "'#nowhere' is no channel that the app knows" in unknown.stderr)


def test_a_channel_that_nobody_knows_comes_with_a_remedy(database: str, workspace: Workspace) -> None:
    slack = {"SLACK_BOT_TOKEN": "xoxb-local", "SLACK_API_URL": workspace.api_url}

    run = told(database, "--week", "2026-W48", "--post", "C9999", **slack)

    assert "channel_not_found; invite the app to it" in run.stderr


def test_a_team_that_is_none_is_refused(database: str) -> None:
    run = told(database, "--team", "serach")

    assert 2 == run.returncode
    assert "there is no team 'serach'" in run.stderr


@pytest.mark.parametrize("option", ["--week", "--since"])
@pytest.mark.parametrize("week", ["2026-W99", "0000-W00", "last", ""])
def test_what_names_no_week_is_refused_though_the_journal_is_empty(option: str, week: str):
    outcome = CliRunner().invoke(program, ["digest", option, week])

    assert 2 == outcome.exit_code
    assert "is no week; write it like 2026-W48" in outcome.stderr


def test_a_dry_run_says_what_would_be_posted_and_posts_nothing(database: str) -> None:
    said = told(database, "--week", "2026-W48", "--post", "C9", "--dry-run").stdout

    assert "inference, 2026-W48: would post" in said
    assert "vllm-incidents-2026-W48.csv, in C9." in said


def test_a_week_is_written_as_a_page_and_as_a_sheet(database: str, tmp_path: Path) -> None:
    page, sheet = tmp_path / "week.html", tmp_path / "week.csv"

    told(database, "--week", "2026-W48", "--html", str(page), "--csv", str(sheet))

    assert "vLLM incidents of inference" in page.read_text()
    assert 2 == len(sheet.read_text().splitlines())


def test_one_teams_digest_is_told_alone(database: str) -> None:
    said = told(database, "--week", "2026-W48", "--team", "inference").stdout

    assert 1 == said.count("vLLM incidents of")


def test_the_platform_has_a_digest_of_its_own(database: str) -> None:
    assert "vLLM incidents of the whole platform" in told(database, "--week", "2026-W48", "--team", "platform").stdout


def test_weeks_that_were_missed_are_posted_one_by_one(database: str) -> None:
    said = told(database, "--since", "2026-W47", "--week", "2026-W49", "--post", "C9", "--dry-run").stdout

    assert ["inference, 2026-W48"] == [line.split(":")[0] for line in said.splitlines()]


def test_quiet_weeks_are_told_where_somebody_asks(database: str) -> None:
    said = told(database, "--week", "2026-W40", "--team", "inference", "--quiet-weeks").stdout

    assert "0 incidents" in said


def test_a_week_that_is_not_over_leaves_its_slot_to_the_whole_week(database: str, workspace: Workspace) -> None:
    slack = {"SLACK_BOT_TOKEN": "xoxb-local", "SLACK_API_URL": workspace.api_url}
    journal = open_journal(database)
    now = datetime.now(UTC)
    file(journal, Incident(thread=Thread(workspace="T1", channel="C1", root="1"), opened_at=now, title="Today"))
    journal.close()

    run = told(database, "--post", "vllm-help", "--team", "inference", **slack)

    year, week, day = now.isocalendar()
    assert run.stdout.startswith(f"inference, {year}-W{week:02d}-{day}: posted in ")
