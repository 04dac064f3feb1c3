"""Being invited: one welcome a channel, with the choice of when to speak."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.slack.desk import Desk
from bot.slack.listeners.messages import workspace_of


def register(app: App, desk: Desk) -> None:
    """Listen to members who join; of all of them only we are meant."""

    @app.event("member_joined_channel")
    def _joined(body: dict[str, Any], event: dict[str, Any]) -> None:
        if event.get("user") == desk.at(workspace_of(body, event)).bot_user:
            desk.welcome(workspace_of(body, event), str(event.get("channel")), str(event.get("event_ts") or ""))
