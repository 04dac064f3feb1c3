"""What is pressed and filled in below a budget: what-ifs, details, pictures, the form, sharing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.diagnosis.identify import LookUp
from bot.hub.fetch import host
from bot.hub.look_up import look_up, recall
from bot.slack.desk import Desk
from bot.slack.listeners.actions import acknowledge, chosen
from bot.slack.saying.attach import picture_for
from bot.slack.saying.delivery import NotNowError, RefusedError
from bot.slack.saying.opening import open_view
from bot.slack.saying.words import ASKING, DRAWN, NOT_DRAWN, OLD_BUDGET
from bot.slack.sizes.answer import problems, shared, size_reply
from bot.slack.sizes.form import VIEW, details_page, filled, form, result, waiting
from bot.slack.sizes.wish import Wish, outcome


def register(app: App, desk: Desk) -> None:  # noqa: ARG001 - every file of listeners has this form
    """Listen to the buttons of a budget and to the fields of the form."""

    def try_(body: dict[str, Any], respond: Respond) -> None:
        if wish := wish_of(body):
            said = size_reply(wish, look_up)
            respond(text=said.text, blocks=list(said.blocks), replace_original=True)
        else:
            respond(text=OLD_BUDGET, replace_original=False)

    def share(body: dict[str, Any], respond: Respond) -> None:
        if wish := wish_of(body):
            said = shared(wish, look_up)
            respond(text=said.text, blocks=list(said.blocks), response_type="in_channel", replace_original=False)
            respond(delete_original=True)
        else:
            respond(text=OLD_BUDGET, replace_original=False)

    app.action(re.compile(r"^vt1:size:try"))(ack=acknowledge, lazy=[try_])
    app.action("vt1:size:share")(ack=acknowledge, lazy=[share])
    app.action("vt1:size:draw")(ack=acknowledge, lazy=[_draw])
    app.action("vt1:size:details")(ack=acknowledge, lazy=[_open_details])
    app.action("vt1:size:form")(ack=acknowledge, lazy=[_open_form])
    app.action(re.compile(r"^vt1:sizing:"))(ack=acknowledge, lazy=[_change])
    app.view(VIEW)(ack=_submit, lazy=[_ask_the_hub])


def _draw(body: dict[str, Any], client: WebClient, respond: Respond) -> None:
    """Send the picture to who wants it, and to nobody else: the budget may be a whisper."""
    wish = wish_of(body)
    budget = outcome(wish, look_up).sized.diagnosis.budget if wish else None
    said = OLD_BUDGET
    if budget:
        try:
            picture_for(client, str(body["user"]["id"]), budget)
            said = DRAWN
        except (RefusedError, NotNowError):
            said = NOT_DRAWN
    respond(text=said, response_type="ephemeral", replace_original=False)


def _open_details(body: dict[str, Any], client: WebClient, respond: Respond) -> None:
    if wish := wish_of(body):
        open_view(client, respond, body, details_page(wish))
    else:
        respond(text=OLD_BUDGET, response_type="ephemeral", replace_original=False)


def _open_form(body: dict[str, Any], client: WebClient, respond: Respond) -> None:
    channel = str((body.get("channel") or {}).get("id") or "")
    open_view(client, respond, body, form(wish_of(body) or Wish(), channel))


def _change(body: dict[str, Any], client: WebClient) -> None:
    view: dict[str, Any] = body["view"]
    changed = form(filled(view), str(view.get("private_metadata")))
    with suppress(SlackApiError):  # closed by now, or changed again: the later change draws it
        client.views_update(view_id=view["id"], hash=view.get("hash"), view=changed)


def _submit(ack: Ack, body: dict[str, Any], view: dict[str, Any], client: WebClient) -> None:
    wish, channel = filled(view), str(view.get("private_metadata"))
    if outcome(wish).may_be_on_the_hub:
        ack(response_action="update", view=waiting(ASKING.format(host=host())))
    elif wrong := problems(wish):
        ack(response_action="errors", errors=wrong)
    elif _is_shown_in(channel, client, wish, str(body["user"]["id"])):
        ack()
    else:
        ack(response_action="update", view=result(wish))


def _ask_the_hub(body: dict[str, Any], view: dict[str, Any], client: WebClient) -> None:
    """Answer a form whose model only the hub may know, after it was acknowledged."""
    wish, channel = filled(view), str(view.get("private_metadata"))
    if outcome(wish).may_be_on_the_hub:
        _is_shown_in(channel, client, wish, str(body["user"]["id"]), look_up)
        with suppress(SlackApiError):  # closed by now
            client.views_update(view_id=view["id"], view=result(wish, look_up))


def _is_shown_in(channel: str, client: WebClient, wish: Wish, person: str, look: LookUp = recall) -> bool:
    """Show the budget where it was asked for; False where we are not in that channel."""
    said = size_reply(wish, look)
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
