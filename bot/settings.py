"""What the operator sets: environment variables or a .env file, and what is missing in words."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

Transport = Literal["socket", "http"]


def default_database_url() -> str:
    """Return the address of a SQLite file in the user's data directory."""
    from platformdirs import user_data_path  # noqa: PLC0415  only when nobody set an address

    return f"sqlite:///{user_data_path('vllm-triage', appauthor=False) / 'journal.sqlite3'}"


class Settings(BaseSettings):
    """The names are a contract: other programs start ours with them."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_api_url: str = "https://slack.com/api/"
    database_url: str = Field(default_factory=default_database_url)

    def missing(self, transport: Transport) -> tuple[str, ...]:
        """Return one sentence for each setting that this transport lacks: its name and how to get it."""
        needed = ("slack_bot_token", "slack_app_token" if transport == "socket" else "slack_signing_secret")
        return tuple(_HOW_TO_GET[name] for name in needed if not getattr(self, name))


_HOW_TO_GET = {
    "slack_bot_token": "SLACK_BOT_TOKEN is not set: the bot's token, it begins with xoxb-. "
    "Get it at https://api.slack.com/apps → your app → OAuth & Permissions → Install to Workspace.",
    "slack_app_token": "SLACK_APP_TOKEN is not set: the token of Socket Mode, it begins with xapp-. "
    "Get it at https://api.slack.com/apps → your app → Basic Information → App-Level Tokens, "
    "with the scope connections:write.",
    "slack_signing_secret": "SLACK_SIGNING_SECRET is not set: with it we know that a request comes from Slack. "
    "Get it at https://api.slack.com/apps → your app → Basic Information → App Credentials.",
}


def database_url() -> str:
    """Return the address of the journal, as set or by default."""
    return Settings().database_url
