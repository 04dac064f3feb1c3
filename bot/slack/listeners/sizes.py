"""What is pressed and filled in below a budget: what-ifs, the form, sharing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack.desk import Desk
from bot.slack.listeners.actions import acknowledge, chosen
from bot.slack.saying.opening import open_view
from bot.slack.saying.words import OLD_BUDGET
from bot.slack.sizes.answer import Wish, problems, shared, size_reply
from bot.slack.sizes.form import VIEW, filled, form, result


def register(app: App, desk: Desk) -> None:  # noqa: ARG001 - every file of listeners has this form
    """Listen to the buttons of a budget and to the fields of the form."""

    def try_(body: dict[str, Any], respond: Respond) -> None:
        if wish := wish_of(body):
            said = size_reply(wish)
            respond(text=said.text, blocks=list(said.blocks), replace_original=True)
        else:
            respond(text=OLD_BUDGET, replace_original=False)

    def share(body: dict[str, Any], respond: Respond) -> None:
        if wish := wish_of(body):
            said = shared(wish)
            respond(text=said.text, blocks=list(said.blocks), response_type="in_channel", replace_original=False)
            respond(delete_original=True)
        else:
            respond(text=OLD_BUDGET, replace_original=False)

    app.action(re.compile(r"^vt1:size:try"))(ack=acknowledge, lazy=[try_])
    app.action("vt1:size:share")(ack=acknowledge, lazy=[share])
    _register_form(app)


def _register_form(app: App) -> None:
    def open_(body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        channel = str((body.get("channel") or {}).get("id") or "")
        open_view(client, respond, body, form(wish_of(body) or Wish(), channel))

    def change(body: dict[str, Any], client: WebClient) -> None:
        view: dict[str, Any] = body["view"]
        changed = form(filled(view), str(view.get("private_metadata")))
        with suppress(SlackApiError):  # closed by now, or changed again: the later change draws it
            client.views_update(view_id=view["id"], hash=view.get("hash"), view=changed)

    app.action("vt1:size:form")(ack=acknowledge, lazy=[open_])
    app.action(re.compile(r"^vt1:sizing:"))(ack=acknowledge, lazy=[change])

    @app.view(VIEW)
    def _show(ack: Ack, body: dict[str, Any], view: dict[str, Any], client: WebClient) -> None:
        wish, channel = filled(view), str(view.get("private_metadata"))
        if wrong := problems(wish):
            ack(response_action="errors", errors=wrong)
        elif _is_shown_in(channel, client, wish, str(body["user"]["id"])):
            ack()
        else:
            ack(response_action="update", view=result(wish))


def _is_shown_in(channel: str, client: WebClient, wish: Wish, person: str) -> bool:
    """Show the budget where it was asked for; False where we are not in that channel."""
    said = size_reply(wish)
    try:
        client.chat_postEphemeral(channel=channel, user=person, text=said.text, blocks=list(said.blocks))
    except (SlackApiError, OSError):
        return False
    return True


def wish_of(body: Mapping[str, Any]) -> Wish | None:
    """Return what the pressed button wants sized, or None when it cannot be read any more."""
    try:
        return Wish.model_validate_json(chosen(body["actions"][0]) or "")
    except ValidationError:
        return None
