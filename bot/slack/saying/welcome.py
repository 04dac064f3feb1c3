"""The one message that is not in a thread: the welcome of a channel we were invited to."""

from __future__ import annotations

from typing import Any

from bot.reply.block_kit import ID, button
from bot.slack.saying.delivery import Message
from bot.slack.saying.words import HELP, WELCOME


def greeting() -> Message:
    """Return what we say in a direct message that somebody opened."""
    return Message(HELP, ({"type": "section", "text": {"type": "mrkdwn", "text": HELP}},))


def welcome() -> Message:
    """Return the welcome, with the choice of when we speak."""
    choice: dict[str, Any] = {
        "type": "actions",
        "block_id": f"{ID}:welcome",
        "elements": [
            button("Answer every vLLM problem", f"{ID}:mode:auto", "auto", style="primary"),
            button("Only when mentioned", f"{ID}:mode:mention", "mention"),
        ],
    }
    said = {"type": "section", "text": {"type": "mrkdwn", "text": WELCOME}}
    return Message(WELCOME, (said, choice))
