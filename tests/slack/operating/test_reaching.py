from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.journal.installations import save_installation
from bot.journal.open import open_journal
from bot.journal.sealing import Seal, new_key
from bot.settings import Settings
from bot.slack.desk import now
from bot.slack.operating.manifest import manifest
from bot.slack.operating.reaching import look_at_slack
from bot.workspace.server import Workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace(manifest=manifest(), other_teams={"Rival": "xoxb-rival"})
    with made.run_in_thread():
        yield made


def told(settings: Settings) -> dict[str, tuple[str, str]]:
    return {found.name: (found.state, found.said) for found in look_at_slack(settings, "socket")}


def test_our_replies_and_our_tokens_are_tried(workspace: Workspace) -> None:
    tokens = {"slack_bot_token": SecretStr("xoxb-local"), "slack_app_token": SecretStr("xapp-local")}

    found = told(Settings(slack_api_url=workspace.api_url, **tokens))

    assert {"well"} == {state for state, _ in found.values()}
    assert {"bot token", "app token", "blocks", "scopes", "clock, against Slack"} == set(found)


def test_slack_out_of_reach_is_one_finding_a_token_with_a_remedy() -> None:
    found = told(Settings(slack_api_url="http://127.0.0.1:1/api/", slack_bot_token=SecretStr("xoxb-local")))

    assert ["bot token"] == [*found]
    assert "see that this machine reaches it" in found["bot token"][1]


def test_where_many_install_us_each_workspaces_token_is_tried(workspace: Workspace, tmp_path: Path) -> None:
    key = new_key()
    settings = Settings(
        slack_api_url=workspace.api_url,
        slack_client_id="1.2",
        slack_client_secret=SecretStr("s"),
        database_url=f"sqlite:///{tmp_path / 'journal.sqlite3'}",
        vllm_triage_encryption_key=SecretStr(key),
    )
    journal = open_journal(settings.database_url, Seal(key))
    assert "none has installed the app yet" in told(settings)["workspaces"][1]
    for team, token in (("T1", "xoxb-local"), ("T2", "xoxb-revoked")):
        save_installation(journal, team, {"bot_token": token, "bot_user_id": "U1"}, now())
    journal.close()

    found = told(settings)

    assert ("well", "we are vllm-triage in Local") == found["bot token of T1"]
    assert "ill" == found["bot token of T2"][0]
    assert "install the app again" in found["bot token of T2"][1]
