"""The modal with everything that the short reply leaves out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from slack_bolt import App, Respond
from slack_sdk import WebClient

from bot.case import Case, Thread, fold
from bot.hub.look_up import recall
from bot.incident import incident
from bot.journal.entries import entries
from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.shortening import shorten
from bot.slack.desk import Desk
from bot.slack.hearing.heard import diagnose_case
from bot.slack.listeners.actions import acknowledge, thread_of_action
from bot.slack.listeners.once import once
from bot.slack.saying.brief import brief
from bot.slack.saying.memory import recall as earlier_cases
from bot.slack.saying.opening import open_view


def register(app: App, desk: Desk) -> None:
    """Listen to "Details"."""

    def details(body: dict[str, Any], client: WebClient, respond: Respond) -> bool:
        return open_details(desk, client, respond, body, thread_of_action(body))

    app.action(re.compile(r"^vt1:details"))(ack=acknowledge, lazy=[once(desk, details)])


def open_details(desk: Desk, client: WebClient, respond: Respond, body: Mapping[str, Any], thread: Thread) -> bool:
    """Open the details of a case; they are worked out anew, so an old reply shows what is known today."""
    case = fold(entries(desk.journal, thread))
    blocks = _blocks(desk, thread, case) if case.said else []
    empty = {"type": "section", "text": {"type": "plain_text", "text": "There is nothing more to say."}}
    view = {
        "type": "modal",
        "callback_id": "vt1:details",
        "title": {"type": "plain_text", "text": "Details"},
        "close": {"type": "plain_text", "text": "Close"},
        "blocks": blocks or [empty],
    }
    return open_view(client, respond, body, view)


def _blocks(desk: Desk, thread: Thread, case: Case) -> list[dict[str, Any]]:
    diagnosis = diagnose_case(desk, thread, case, recall)
    document = compose(diagnosis)
    is_brief = earlier_cases(desk, incident(thread, case, diagnosis), diagnosis).is_the_same
    return block_kit.details(brief(document) if is_brief else shorten(document))
