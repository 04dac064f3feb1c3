"""Bolt's app and the SDK's client, counting what comes in, how soon it is acknowledged and what Slack refuses."""

from __future__ import annotations

import time
from typing import Any
from urllib.error import URLError

from slack_bolt import App, BoltRequest, BoltResponse
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack.metrics import ACK_SECONDS, EVENTS, SLACK_ERRORS

_EVENT_TYPES = frozenset(
    {
        "app_home_opened",
        "app_mention",
        "app_uninstalled",
        "member_joined_channel",
        "message",
        "reaction_added",
        "reaction_removed",
        "tokens_revoked",
    }
)
_INTERACTIONS = frozenset(
    {"block_actions", "block_suggestion", "message_action", "view_closed", "view_submission", "url_verification"}
)


class MeasuredApp(App):
    """An app that counts its deliveries."""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Answer one delivery; its time ends when the acknowledgement is on its way."""
        began = time.perf_counter()
        try:
            return super().dispatch(req)
        finally:
            EVENTS.labels(_type(req.body)).inc()
            ACK_SECONDS.observe(time.perf_counter() - began)


def _type(body: Any) -> str:
    """Return a word from Slack's closed vocabulary: whatever else was sent to us must not grow our figures."""
    event = body.get("event")
    if isinstance(event, dict):
        kind = str(event.get("type"))
        return kind if kind in _EVENT_TYPES else "other"
    if body.get("command"):
        return "command"
    kind = str(body.get("type"))
    return kind if kind in _INTERACTIONS else "other"


class MeasuredClient(WebClient):
    """A client that counts what Slack refuses."""

    def api_call(self, api_method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the Web API.

        Raises:
            slack_sdk.errors.SlackApiError: Slack refused.
        """
        try:
            return super().api_call(api_method, *args, **kwargs)
        except SlackApiError as error:
            SLACK_ERRORS.labels(api_method, _word(error)).inc()
            raise
        except (URLError, OSError):
            SLACK_ERRORS.labels(api_method, "no_answer").inc()
            raise


def _word(error: SlackApiError) -> str:
    status = getattr(error.response, "status_code", 200)
    said = error.response.get("error") if hasattr(error.response, "get") else None
    return str(said or f"http_{status}")
