from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.settings import Settings


def test_without_a_setting_the_journal_is_a_file_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert f"sqlite:///{tmp_path / 'vllm-triage' / 'journal.sqlite3'}" == Settings().database_url


def test_a_user_without_a_home_is_told_to_say_where_the_journal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 4_294_967_000)  # of whom no list of users knows

    with pytest.raises(OSError, match="DATABASE_URL"):
        Settings()


@pytest.mark.parametrize(
    ("transport", "names"),
    [("socket", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]), ("http", ["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"])],
)
def test_what_a_transport_lacks_is_named(monkeypatch: pytest.MonkeyPatch, transport: str, names: list[str]) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.delenv(name, raising=False)

    missing = Settings().missing("http" if transport == "http" else "socket")

    assert names == [sentence.split()[0] for sentence in missing]


def test_a_secret_is_not_printed() -> None:
    assert "xoxb-1" not in repr(Settings(slack_bot_token=SecretStr("xoxb-1")))
