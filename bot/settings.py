"""What the operator sets: environment variables or a .env file, and what is missing in words."""

from __future__ import annotations

import errno
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

Transport = Literal["socket", "http"]


def default_database_url() -> str:
    """Return the address of a SQLite file in the user's data directory.

    Raises:
        OSError: The user has no home, as in a container whose user nobody named.
    """
    from platformdirs import user_data_path  # noqa: PLC0415  only when nobody set an address

    try:
        folder = user_data_path("vllm-triage", appauthor=False)
    except RuntimeError as error:
        raise FileNotFoundError(
            errno.ENOENT, "set it: this user has no home to keep a file in", "DATABASE_URL"
        ) from error
    return f"sqlite:///{folder / 'journal.sqlite3'}"


class Settings(BaseSettings):
    """The names are a contract: other programs start ours with them."""

    # A name with nothing behind it, as compose files pass on what nobody set, is a name that was not set.
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True)

    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_api_url: str = "https://slack.com/api/"
    database_url: str = Field(default_factory=default_database_url)
    # With these two, any workspace may install us and the bot's own token is not used.
    slack_client_id: str | None = None
    slack_client_secret: SecretStr | None = None
    vllm_triage_encryption_key: SecretStr | None = None
    vllm_triage_encrypt_pastes: bool = False
    vllm_triage_leads: str = ""
    vllm_triage_log_format: Literal["console", "json"] = "console"
    vllm_triage_log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @field_validator("*", mode="before")
    @classmethod
    def _without_margins(cls, value: object) -> object:
        """Take off the line's end that a secret read from a file brings along."""
        return value.strip() if isinstance(value, str) else value

    @field_validator("slack_api_url")
    @classmethod
    def _is_web_address(cls, value: str) -> str:
        if not value.startswith(("https://", "http://")):
            raise ValueError(f"{value!r} is no address of a Web API; it begins with https://")
        return value

    @property
    def has_many_workspaces(self) -> bool:
        """Whether workspaces install us by themselves."""
        return bool(self.slack_client_id and self.slack_client_secret)

    @property
    def leads(self) -> frozenset[str]:
        """The ids of people who may do what workspace admins may."""
        return frozenset(part.strip() for part in self.vllm_triage_leads.split(",") if part.strip())

    def missing(self, transport: Transport | None) -> tuple[str, ...]:
        """Return one sentence for each setting that this transport (None: the worker) lacks, and how to get it."""
        named = {"socket": ["slack_app_token"], "http": ["slack_signing_secret"], None: []}[transport]
        who = "vllm_triage_encryption_key" if self.has_many_workspaces else "slack_bot_token"
        needed = [who, *named]
        if self.vllm_triage_encrypt_pastes:
            needed.append("vllm_triage_encryption_key")
        return tuple(_HOW_TO_GET[name] for name in dict.fromkeys(needed) if not getattr(self, name))


_HOW_TO_GET = {
    "slack_bot_token": "SLACK_BOT_TOKEN is not set: the bot's token, it begins with xoxb-. "
    "Get it at https://api.slack.com/apps → your app → OAuth & Permissions → Install to Workspace.",
    "slack_app_token": "SLACK_APP_TOKEN is not set: the token of Socket Mode, it begins with xapp-. "
    "Get it at https://api.slack.com/apps → your app → Basic Information → App-Level Tokens, "
    "with the scope connections:write.",
    "slack_signing_secret": "SLACK_SIGNING_SECRET is not set: with it we know that a request comes from Slack. "
    "Get it at https://api.slack.com/apps → your app → Basic Information → App Credentials.",
    "vllm_triage_encryption_key": "VLLM_TRIAGE_ENCRYPTION_KEY is not set: tokens of other workspaces, and pastes with "
    "VLLM_TRIAGE_ENCRYPT_PASTES, are stored sealed only. `vllm-triage db new-key` prints one.",
}


def database_url() -> str:
    """Return the address of the journal, as set or by default."""
    return Settings().database_url
