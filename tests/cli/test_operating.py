"""The commands of whoever operates us: doctor, manifest, db, worker."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli.main import program
from bot.journal.sealing import SealError
from bot.journal.upgrade import head
from bot.slack.operating.manifest import SCOPES
from bot.slack.operating.manifest import manifest as made
from bot.workspace.server import Workspace


@pytest.fixture(autouse=True)
def operator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An operator who has set nothing but where the journal is."""
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "SLACK_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'journal.sqlite3'}")


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A workspace whose tokens the operator has set."""
    workspace = Workspace(manifest=made())
    with workspace.run_in_thread():
        monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-local")
        monkeypatch.setenv("SLACK_APP_TOKEN", "xapp-local")
        monkeypatch.setenv("SLACK_API_URL", workspace.api_url)
        yield workspace


def run(*arguments: str) -> Result:
    return CliRunner().invoke(program, list(arguments))


def test_the_doctor_finds_a_good_installation_well(workspace: Workspace) -> None:
    run("db", "upgrade")

    said = run("doctor")

    assert 0 == said.exit_code, said.stdout
    assert "✓ bot token: we are vllm-triage in Local" in said.stdout
    assert f"✓ migrations: at {head()}" in said.stdout
    assert "✓ app token" in said.stdout


def test_the_doctor_says_what_a_missing_scope_is_for(workspace: Workspace) -> None:
    workspace.human().do("scopes", without=["files:read"])

    said = run("doctor")

    assert 1 == said.exit_code
    assert "✗ scope files:read: not granted; it is needed to read snippets and log files" in said.stdout


def test_the_doctor_says_how_to_get_what_is_missing() -> None:
    said = run("doctor", "--transport", "http")

    assert 1 == said.exit_code
    assert "SLACK_SIGNING_SECRET is not set" in said.stdout
    assert "✓ migrations: at nothing; whatever opens this file brings it to" in said.stdout


def test_the_doctor_finds_a_wrong_token_ill(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-wrong")

    assert "✗ bot token: Slack says invalid_auth" in run("doctor").stdout


def test_the_doctor_finds_a_database_that_is_away_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@127.0.0.1:9/none")

    said = run("doctor").stdout

    assert "✗ database: postgresql+psycopg://me:***@127.0.0.1:9/none cannot be reached" in said
    assert "secret@" not in said


def test_the_manifest_is_json_that_slack_takes() -> None:
    printed = json.loads(run("manifest").stdout)

    assert sorted(SCOPES) == printed["oauth_config"]["scopes"]["bot"]
    assert printed["settings"]["socket_mode_enabled"]


def test_the_manifest_for_http_needs_an_address() -> None:
    assert "--url is missing" in run("manifest", "--transport", "http").stderr
    assert (
        "https://x.example/slack/events" in run("manifest", "--transport", "http", "--url", "https://x.example/").stdout
    )


def test_every_scope_is_printed_with_its_reason() -> None:
    said = run("manifest", "--reasons").stdout

    assert all(f"{scope} " in said and reason in said for scope, reason in SCOPES.items())


def test_the_tables_are_brought_to_the_present_once() -> None:
    assert 1 == run("db", "current").exit_code

    assert f"empty → {head()}" in run("db", "upgrade").stdout

    assert 0 == run("db", "current").exit_code
    assert f"{head()} → {head()}" in run("db", "upgrade").stdout


def test_a_new_key_seals_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    run("db", "upgrade")
    monkeypatch.setenv("VLLM_TRIAGE_ENCRYPTION_KEY", run("db", "new-key").stdout.strip())

    assert "0 texts are sealed" in run("db", "reseal").stdout


def test_a_worker_is_refused_where_there_can_be_one_process(workspace: Workspace) -> None:
    said = run("worker")

    assert 1 == said.exit_code
    assert "SQLite serves one process" in said.stderr


@pytest.mark.parametrize("key", ["short", ","])
def test_nothing_is_sealed_with_what_is_no_key(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    run("db", "upgrade")
    monkeypatch.setenv("VLLM_TRIAGE_ENCRYPTION_KEY", key)

    assert isinstance(run("db", "reseal").exception, SealError)


def test_the_doctor_bears_a_disk_on_which_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> str:
        raise FileNotFoundError("No usable temporary directory")

    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@127.0.0.1:9/none")
    monkeypatch.setattr(tempfile, "gettempdir", nowhere)

    assert "✓ disk: nothing may be written here" in run("doctor").stdout
