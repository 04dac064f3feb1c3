"""What is pressed and filled in below a budget: what-ifs, details, pictures, the form, sharing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.diagnosis.identify import LookUp
from bot.hub.fetch import host
from bot.hub.look_up import look_up, recall
from bot.slack.desk import Desk
from bot.slack.listeners.actions import acknowledge, chosen
from bot.slack.listeners.newest import Newest
from bot.slack.listeners.once import Act, held, once, press_in
from bot.slack.listeners.redrawing import changed_at, redraw
from bot.slack.saying.attach import picture_for
from bot.slack.saying.delivery import NotNowError, RefusedError, call
from bot.slack.saying.opening import open_view
from bot.slack.saying.telling import answer, person_of, tell
from bot.slack.saying.words import ASKING, DRAWN, NOT_DRAWN, NOT_SHARED, OLD_BUDGET, SHARED
from bot.slack.sizes.answer import problems, shared, size_reply
from bot.slack.sizes.form import VIEW, details_page, filled, form, result, waiting
from bot.slack.sizes.wish import Wish, outcome


def register(app: App, desk: Desk) -> None:
    """Listen to the buttons of a budget and to the fields of the form."""
    changes = Newest[dict[str, Any]]()

    def change(body: dict[str, Any], client: WebClient) -> None:
        changes.see_to(body["view"]["id"], changed_at(body), body, lambda newest: _draw_form(desk, client, newest))

    def submit(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        _submit(desk, ack, body, client)

    app.action(re.compile(r"^vt1:size:try"))(ack=acknowledge, lazy=[once(desk, _with_wish(_try))])
    app.action("vt1:size:share")(ack=acknowledge, lazy=[once(desk, _with_wish(_share), SHARED)])
    app.action("vt1:size:draw")(ack=acknowledge, lazy=[once(desk, _with_wish(_draw), DRAWN)])
    app.action("vt1:size:details")(ack=acknowledge, lazy=[once(desk, _with_wish(_open_details))])
    app.action("vt1:size:form")(ack=acknowledge, lazy=[once(desk, _open_form)])
    app.action(re.compile(r"^vt1:sizing:"))(ack=acknowledge, lazy=[change])
    app.view(VIEW)(ack=submit, lazy=[once(desk, _ask_the_hub)])


def _draw_form(desk: Desk, client: WebClient, body: Mapping[str, Any]) -> None:
    view: Mapping[str, Any] = body["view"]
    redraw(desk, client, body, form(filled(view), str(view.get("private_metadata"))))


def _with_wish(act: Callable[[Wish, dict[str, Any], WebClient, Respond], bool]) -> Act:
    """Return what a press does with the wish that its button holds; one of an older app holds none that we read."""

    def acted(body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
        wish = wish_of(body)
        if wish is not None:
            return act(wish, body, client, respond)
        tell(client, respond, body, OLD_BUDGET)
        return False

    return acted


def _try(wish: Wish, _body: dict[str, Any], _client: WebClient, respond: Respond) -> bool:
    said = size_reply(wish, look_up)
    respond(text=said.text, blocks=list(said.blocks), replace_original=True)
    return True


def _share(wish: Wish, body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
    said = shared(wish, look_up)
    try:
        is_shared = answer(respond, text=said.text, blocks=list(said.blocks), response_type="in_channel")
    except (RefusedError, NotNowError):
        is_shared = False
    if is_shared:
        respond(delete_original=True)
    else:
        tell(client, respond, body, NOT_SHARED)
    return is_shared


def _draw(wish: Wish, body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
    """Send the picture to who wants it, and to nobody else: the budget may be a whisper."""
    budget, said = outcome(wish, look_up).sized.diagnosis.budget, OLD_BUDGET
    if budget:
        try:
            picture_for(client, person_of(body), budget)
            said = DRAWN
        except (RefusedError, NotNowError):
            said = NOT_DRAWN
    tell(client, respond, body, said)
    return said == DRAWN


def _open_details(wish: Wish, body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
    return open_view(client, respond, body, details_page(wish))


def _open_form(body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
    channel = str((body.get("channel") or {}).get("id") or "")
    return open_view(client, respond, body, form(wish_of(body) or Wish(), channel))


def _submit(desk: Desk, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
    wish, channel = filled(body["view"]), str(body["view"].get("private_metadata"))
    if outcome(wish).may_be_on_the_hub:
        ack(response_action="update", view=waiting(ASKING.format(host=host())))
    elif wrong := problems(wish):
        ack(response_action="errors", errors=wrong)
    else:
        with held(desk, press_in(body, "shown")) as is_ours:
            is_shown = not is_ours or _is_shown_in(channel, client, wish, person_of(body))
        ack() if is_shown else ack(response_action="update", view=result(wish))


def _ask_the_hub(body: dict[str, Any], client: WebClient, _: Respond) -> None:
    """Answer a form whose model only the hub may know, after it was acknowledged."""
    view: dict[str, Any] = body["view"]
    wish, channel = filled(view), str(view.get("private_metadata"))
    if outcome(wish).may_be_on_the_hub:
        _is_shown_in(channel, client, wish, person_of(body), look_up)
        with suppress(RefusedError, NotNowError):  # closed by now
            call(lambda: client.views_update(view_id=view["id"], view=result(wish, look_up)))


def _is_shown_in(channel: str, client: WebClient, wish: Wish, person: str, look: LookUp = recall) -> bool:
    """Show the budget where it was asked for; False where we are not in that channel."""
    said = size_reply(wish, look)
    try:
        call(lambda: client.chat_postEphemeral(channel=channel, user=person, text=said.text, blocks=list(said.blocks)))
    except (RefusedError, NotNowError):
        return False
    return True


def wish_of(body: Mapping[str, Any]) -> Wish | None:
    """Return what the pressed button wants sized, or None when it cannot be read any more."""
    try:
        return Wish.model_validate_json(chosen(body["actions"][0]) or "")
    except ValidationError:
        return None
