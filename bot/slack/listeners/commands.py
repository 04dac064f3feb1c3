"""`/vllm-size`: a memory budget from a line of text, shown to the person who asked."""

from __future__ import annotations

from typing import Any

from slack_bolt import Ack, App, Respond

from bot.slack.desk import Desk
from bot.slack.sizes import size_reply
from bot.slack.unmangle import unmangle


def register(app: App, desk: Desk) -> None:  # noqa: ARG001 - every file of listeners has this form
    """Listen to the slash command; Slack wants its acknowledgement before the budget is worked out."""

    def answer(command: dict[str, Any], respond: Respond) -> None:
        message = size_reply(unmangle({"text": command.get("text")}))
        respond(text=message.text, blocks=[dict(block) for block in message.blocks], response_type="ephemeral")

    app.command("/vllm-size")(ack=_acknowledge, lazy=[answer])


def _acknowledge(ack: Ack) -> None:
    ack()
