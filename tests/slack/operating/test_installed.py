from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from slack_sdk import WebClient

from bot.journal.installations import save_installation
from bot.journal.open import open_journal
from bot.journal.sealing import Seal, new_key
from bot.settings import Settings
from bot.slack.operating.installed import clients

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return some_settings(f"sqlite:///{tmp_path / 'journal.sqlite3'}", new_key())


def some_settings(url: str, key: str | None) -> Settings:
    return Settings(
        database_url=url,
        slack_client_id="1.2",
        slack_client_secret=SecretStr("s"),
        slack_api_url="http://127.0.0.1:1/api/",
        vllm_triage_encryption_key=SecretStr(key) if key else None,
    )


def install(settings: Settings, workspace: str, **granted: Any) -> None:
    assert settings.vllm_triage_encryption_key
    journal = open_journal(settings.database_url, Seal(settings.vllm_triage_encryption_key.get_secret_value()))
    told = {"bot_token": f"xoxb-{workspace}", "bot_user_id": "U1", "user_id": "U2", "bot_refresh_token": "r", **granted}
    expires = NOW - timedelta(days=9) if "bot_token_expires_at" in granted else None
    save_installation(journal, workspace, told, NOW, expires)
    journal.close()


def test_each_workspace_has_a_client_of_its_own(settings: Settings) -> None:
    install(settings, "T1")
    install(settings, "T2")

    found = {workspace: each.token for workspace, each in clients(settings) if isinstance(each, WebClient)}

    assert {"T1": "xoxb-T1", "T2": "xoxb-T2"} == found


def test_what_another_key_sealed_is_told_with_a_remedy(settings: Settings) -> None:
    install(settings, "T1")

    ((_, said),) = clients(some_settings(settings.database_url, new_key()))

    assert "put the key that sealed it after" in str(said)


def test_a_token_that_expired_and_cannot_be_renewed_is_told(settings: Settings) -> None:
    install(settings, "T1", bot_token_expires_at=1)

    ((_, said),) = clients(settings)

    assert "Slack cannot be reached to renew it" in str(said)


@pytest.mark.parametrize("url", ["nowhere://x", "postgresql://me@127.0.0.1:1/none", "sqlite://"])
def test_a_journal_that_cannot_be_read_has_no_workspaces(url: str) -> None:
    assert [] == [*clients(some_settings(url, new_key()))]
