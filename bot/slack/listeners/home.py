"""Opening the Home tab, and what is changed there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.journal.channels import channel, set_channel
from bot.slack.desk import Desk
from bot.slack.home import room_form
from bot.slack.home.authority import may_administer
from bot.slack.home.tab import home
from bot.slack.listeners.actions import acknowledge, set_mode
from bot.slack.listeners.messages import workspace_of
from bot.slack.listeners.once import once
from bot.slack.saying.opening import open_view
from bot.slack.saying.prompts import suggest_prompts
from bot.slack.saying.rooms import learn
from bot.slack.saying.telling import person_of, tell
from bot.slack.saying.words import NOT_AN_ADMIN


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

    def change(ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        is_theirs = _may(desk, body)
        if is_theirs:
            set_mode(desk, body, body["actions"][0])
        ack()
        if not is_theirs:
            tell(client, respond, body, NOT_AN_ADMIN)

    _register_rooms(app, desk, draw)
    app.event("app_home_opened")(ack=_nothing, lazy=[draw])
    app.action(re.compile(r"^vt1:mode:home"))(ack=change, lazy=[draw])
    app.action("vt1:open")(acknowledge)


def _register_rooms(app: App, desk: Desk, draw: Callable[..., None]) -> None:
    """Listen to the choice of any channel, and to the form it opens."""

    def find(body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
        found = str(body["actions"][0].get("selected_conversation") or "")
        if found and _may(desk, body):
            mode = channel(desk.journal, workspace_of(body), found).mode
            return open_view(client, respond, body, room_form.form(found, mode))
        tell(client, respond, body, NOT_AN_ADMIN)
        return False

    def save(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        found, mode = room_form.filled(view)
        workspace, person = workspace_of(body), person_of(body)
        if not _may(desk, body):
            ack(response_action="errors", errors={"mode": NOT_AN_ADMIN})
            return
        if mode:
            set_channel(desk.journal, workspace, found, mode=mode, enabled_by=person)
            learn(desk.at(workspace), workspace, found)  # shown on the tab where it is public
        ack()

    app.action("vt1:room:find")(ack=acknowledge, lazy=[once(desk, find)])
    app.view(room_form.VIEW)(ack=save, lazy=[draw])


def _may(desk: Desk, body: dict[str, Any]) -> bool:
    return may_administer(desk, workspace_of(body), person_of(body))


def _nothing() -> None:
    """Acknowledge an event, which Bolt does by itself."""
