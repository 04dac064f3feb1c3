"""Being uninstalled: the tokens are forgotten, and what was to be done there is not done any more."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.journal.installations import drop_installation
from bot.slack.desk import Desk
from bot.slack.listeners.messages import workspace_of


def register(app: App, desk: Desk) -> None:
    """Listen to both ways of losing our token."""

    @app.event("app_uninstalled")
    def _uninstalled(body: dict[str, Any], event: dict[str, Any]) -> None:
        drop_installation(desk.journal, workspace_of(body, event))

    @app.event("tokens_revoked")
    def _revoked(body: dict[str, Any], event: dict[str, Any]) -> None:
        if (event.get("tokens") or {}).get("bot"):
            drop_installation(desk.journal, workspace_of(body, event))
