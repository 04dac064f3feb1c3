"""`/vllm-size`: a memory budget from a line of text, or the form where there is none."""

from __future__ import annotations

from typing import Any

from slack_bolt import App, Respond
from slack_sdk import WebClient

from bot.hub.look_up import look_up
from bot.slack.desk import Desk
from bot.slack.hearing.unmangle import unmangle
from bot.slack.listeners.actions import acknowledge
from bot.slack.listeners.once import once
from bot.slack.operating.manifest import COMMAND
from bot.slack.saying.opening import open_view
from bot.slack.sizes.answer import USAGE, size_reply
from bot.slack.sizes.form import form
from bot.slack.sizes.wish import Wish


def register(app: App, desk: Desk) -> None:
    """Listen to the slash command; it is acknowledged before the budget is worked out and the hub asked for a model."""

    def answer(command: dict[str, Any], client: WebClient, respond: Respond) -> bool:
        text = unmangle({"text": command.get("text")})
        if text.lower() in {"help", "?"}:
            respond(text=USAGE, response_type="ephemeral")
        elif text:
            said = size_reply(Wish(text=text), look_up)
            respond(text=said.text, blocks=list(said.blocks), response_type="ephemeral")
        else:
            return open_view(client, respond, command, form(Wish(), str(command.get("channel_id"))))
        return True

    app.command(COMMAND)(ack=acknowledge, lazy=[once(desk, answer)])
