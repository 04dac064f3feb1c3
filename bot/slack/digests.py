"""Posting a digest in a channel, once, and links to what is still open."""

from __future__ import annotations

from datetime import UTC, datetime

from slack_sdk import WebClient

from bot.case import Incident
from bot.journal.digests import Slot, claim_slot, fill_slot, free_slot
from bot.journal.open import Journal
from bot.reply import block_kit
from bot.reply.document import Document
from bot.slack.delivery import NotNowError, RefusedError, call


def permalink(client: WebClient, incident: Incident) -> str | None:
    """Return the address of an incident's thread, or None when Slack gives none."""
    thread = incident.thread
    try:
        return str(call(lambda: client.chat_getPermalink(channel=thread.channel, message_ts=thread.root))["permalink"])
    except (RefusedError, NotNowError):
        return None


def post_digest(journal: Journal, client: WebClient, slot: Slot, document: Document) -> bool:
    """Post a digest; False when this channel had it already.

    Raises:
        RefusedError: Slack does not let us speak there.
        NotNowError: Slack is busy; the slot is free again.
    """
    if not claim_slot(journal, slot, datetime.now(UTC)):
        return False
    blocks = block_kit.render(document, asks=False)
    try:
        posted = call(
            lambda: client.chat_postMessage(
                channel=slot.channel, text=document.summary, blocks=blocks, unfurl_links=False, unfurl_media=False
            )
        )
    except (RefusedError, NotNowError) as error:
        if not (isinstance(error, NotNowError) and error.is_lost):
            free_slot(journal, slot)
        raise
    fill_slot(journal, slot, str(posted["ts"]))
    return True
