"""Opening the Home tab, and what is changed there."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot.journal.channels import channel, set_channel
from bot.slack.desk import Desk
from bot.slack.home import room_form
from bot.slack.home.authority import may_administer
from bot.slack.home.tab import home
from bot.slack.listeners.actions import set_mode
from bot.slack.listeners.messages import person_of, workspace_of
from bot.slack.saying.prompts import suggest_prompts
from bot.slack.saying.rooms import learn


def register(app: App, desk: Desk) -> None:
    """Listen to the Home tab; it is drawn after the acknowledgement."""

    def draw(body: dict[str, Any], client: WebClient) -> None:
        event = body.get("event") or {}
        person = str(event.get("user") or person_of(body))
        if event.get("tab") == "messages":
            desk.welcome(workspace_of(body, event), str(event.get("channel")), str(event.get("event_ts") or ""))
            suggest_prompts(client, str(event.get("channel")))
        else:
            client.views_publish(user_id=person, view=home(desk, workspace_of(body, event), person))

    def change(ack: Ack, body: dict[str, Any]) -> None:
        if _may(desk, body):
            set_mode(desk, body, body["actions"][0])
        ack()

    _register_rooms(app, desk)
    app.event("app_home_opened")(ack=_nothing, lazy=[draw])
    app.action(re.compile(r"^vt1:mode:home"))(ack=change, lazy=[draw])
    app.action("vt1:open")(_acknowledge)


def _register_rooms(app: App, desk: Desk) -> None:
    """Listen to the choice of any channel, and to the form it opens."""

    @app.action("vt1:room:find")
    def _find(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        found = str(body["actions"][0].get("selected_conversation") or "")
        if found and _may(desk, body):
            mode = channel(desk.journal, workspace_of(body), found).mode
            client.views_open(trigger_id=str(body["trigger_id"]), view=room_form.form(found, mode))
        ack()

    @app.view(room_form.VIEW)
    def _save(ack: Ack, body: dict[str, Any], view: dict[str, Any], client: WebClient) -> None:
        found, mode = room_form.filled(view)
        workspace, person = workspace_of(body), person_of(body)
        if mode and _may(desk, body):
            set_channel(desk.journal, workspace, found, mode=mode, enabled_by=person)
            learn(desk.at(workspace), workspace, found)  # shown on the tab where it is public
        ack()
        client.views_publish(user_id=person, view=home(desk, workspace, person))


def _may(desk: Desk, body: dict[str, Any]) -> bool:
    return may_administer(desk, workspace_of(body), person_of(body))


def _nothing() -> None:
    """Acknowledge an event, which Bolt does by itself."""


def _acknowledge(ack: Ack) -> None:
    """Acknowledge a button that only opens a link."""
    ack()
