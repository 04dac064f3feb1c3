"""Opening the Home tab, and what is changed there."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot.slack.desk import Desk
from bot.slack.home.authority import may_administer
from bot.slack.home.tab import home
from bot.slack.listeners.actions import set_mode
from bot.slack.listeners.messages import workspace_of
from bot.slack.saying.prompts import suggest_prompts


def register(app: App, desk: Desk) -> None:
    """Listen to the Home tab; it is drawn after the acknowledgement."""

    def draw(body: dict[str, Any], client: WebClient) -> None:
        event = body.get("event") or {}
        person = str(event.get("user") or (body.get("user") or {}).get("id"))
        if event.get("tab") == "messages":
            desk.welcome(workspace_of(body, event), str(event.get("channel")), str(event.get("event_ts") or ""))
            suggest_prompts(client, str(event.get("channel")))
        else:
            client.views_publish(user_id=person, view=home(desk, workspace_of(body, event), person))

    def change(ack: Ack, body: dict[str, Any]) -> None:
        if may_administer(desk, workspace_of(body), str((body.get("user") or {}).get("id"))):
            set_mode(desk, body, body["actions"][0])
        ack()

    app.event("app_home_opened")(ack=_nothing, lazy=[draw])
    app.action(re.compile(r"^vt1:mode:home"))(ack=change, lazy=[draw])
    app.action("vt1:open")(_acknowledge)


def _nothing() -> None:
    """Acknowledge an event, which Bolt does by itself."""


def _acknowledge(ack: Ack) -> None:
    """Acknowledge a button that only opens a link."""
    ack()
