"""The client that talks to Slack's Web API, or to whatever stands in for it."""

from __future__ import annotations

from slack_sdk import WebClient

from bot.settings import Settings
from bot.slack.api.measured import MeasuredClient


def client(settings: Settings, token: str | None) -> WebClient:
    """Return a client that reports every failure: the SDK's own retry may post twice when only an answer was lost."""
    base = settings.slack_api_url.rstrip("/") + "/"
    return MeasuredClient(token=token, base_url=base, timeout=10, retry_handlers=[])
