"""What a type-ahead select offers while somebody types."""

from __future__ import annotations

import re
from typing import Any

from slack_bolt import Ack, App

from bot.slack.desk import Desk
from bot.slack.sizes.suggest import suggest


def register(app: App, desk: Desk) -> None:  # noqa: ARG001 - every file of listeners has this form
    """Listen to what is typed into the selects of questions and of the size form."""

    @app.options(re.compile(r"^vt1:"))
    def _typed(ack: Ack, payload: dict[str, Any]) -> None:
        fact = str(payload.get("action_id")).split(":")[2:3]
        names = suggest(fact[0] if fact else "", str(payload.get("value") or ""))
        ack(options=[{"text": {"type": "plain_text", "text": name[:75]}, "value": name[:150]} for name in names])
