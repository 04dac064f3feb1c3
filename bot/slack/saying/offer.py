"""What looks like our business and is not sure: an offer to its poster alone to take a look, made once."""

from __future__ import annotations

from typing import Any

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis
from bot.journal.effects import effect, record
from bot.reply.block_kit import ID, button
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call
from bot.slack.saying.words import OFFER

PURPOSE = "offer"


def is_worth_an_offer(case: Case, diagnosis: Diagnosis) -> bool:
    """Say whether a look may help: an error about vLLM, or words like those of a problem we know."""
    is_likely = diagnosis.match == "alike" or bool(diagnosis.evidence.failures)
    return diagnosis.is_for_us and is_likely and case.state == "open"


def offer(desk: Desk, thread: Thread, case: Case) -> None:
    """Offer the poster a look; whether that reaches them holds nothing up, and it is not tried again."""
    if not case.opener or effect(desk.journal, thread, PURPOSE):
        return
    record(desk.journal, thread, PURPOSE, desk.clock())
    place: dict[str, Any] = {} if len(case.said) == 1 else {"thread_ts": thread.root}
    try:
        call(
            lambda: desk.client.chat_postEphemeral(
                channel=thread.channel, user=str(case.opener), text=OFFER, blocks=_blocks(thread), **place
            )
        )
    except (RefusedError, NotNowError):
        return


def _blocks(thread: Thread) -> list[dict[str, Any]]:
    said = {"type": "section", "text": {"type": "plain_text", "text": OFFER}}
    choice = [
        button("Take a look", f"{ID}:look", thread.root, style="primary"),
        button("No, thanks", f"{ID}:look:no", thread.root),
    ]
    return [said, {"type": "actions", "block_id": f"{ID}:offer:{thread.root}", "elements": choice}]
