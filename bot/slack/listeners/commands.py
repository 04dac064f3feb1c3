"""`/vllm-size`: a memory budget from a line of text, or the form where there is none."""

from __future__ import annotations

from typing import Any

from slack_bolt import App, Respond
from slack_sdk import WebClient

from bot.slack.desk import Desk
from bot.slack.hearing.unmangle import unmangle
from bot.slack.listeners.actions import acknowledge
from bot.slack.operating.manifest import COMMAND
from bot.slack.saying.opening import open_view
from bot.slack.sizes.answer import USAGE, Wish, size_reply
from bot.slack.sizes.form import form


def register(app: App, desk: Desk) -> None:  # noqa: ARG001 - every file of listeners has this form
    """Listen to the slash command; Slack wants its acknowledgement before the budget is worked out."""

    def answer(command: dict[str, Any], client: WebClient, respond: Respond) -> None:
        text = unmangle({"text": command.get("text")})
        if text.lower() in {"help", "?"}:
            respond(text=USAGE, response_type="ephemeral")
        elif text:
            said = size_reply(Wish(text=text))
            respond(text=said.text, blocks=list(said.blocks), response_type="ephemeral")
        else:
            open_view(client, respond, command, form(Wish(), str(command.get("channel_id"))))

    app.command(COMMAND)(ack=acknowledge, lazy=[answer])
