"""Posting a digest in a channel, once, and links to what is still open."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from slack_sdk import WebClient

from bot.incident import Incident
from bot.journal.digests import LEASE, Slot, claim_slot, fill_slot, free_slot, take_over_slot
from bot.journal.open import Journal
from bot.reply import block_kit
from bot.reply.document import Document
from bot.slack.delivery import NotNowError, RefusedError, call
from bot.slack.finding import MARK, find_ours
from bot.slack.markup import escape


def permalink(client: WebClient, incident: Incident) -> str | None:
    """Return the address of an incident's thread, or None when Slack gives none."""
    thread = incident.thread
    try:
        return str(call(lambda: client.chat_getPermalink(channel=thread.channel, message_ts=thread.root))["permalink"])
    except (RefusedError, NotNowError):
        return None


def post_digest(journal: Journal, client: WebClient, slot: Slot, document: Document) -> bool:
    """Post a digest; False when this channel had it already, or another process is at it.

    Raises:
        RefusedError: Slack does not let us speak there.
        NotNowError: Slack is busy; the slot is free again, or taken over later where the answer was lost.
    """
    begun = datetime.now(UTC)
    if not claim_slot(journal, slot, begun):
        since = take_over_slot(journal, slot, begun)
        if since is None:
            return False
        stamp = call(lambda: _find(client, slot, since))
        if stamp:
            fill_slot(journal, slot, stamp)
            return False
    try:
        stamp = call(lambda: _say(client, slot, document, begun))
    except (RefusedError, NotNowError) as error:
        if not (isinstance(error, NotNowError) and error.is_lost):
            free_slot(journal, slot)
        raise
    fill_slot(journal, slot, stamp)
    return True


def _say(client: WebClient, slot: Slot, document: Document, begun: datetime) -> str:
    blocks = block_kit.render(document, asks=False)
    mark = {"event_type": MARK, "event_payload": slot.model_dump()}
    # A process that slept since it claimed the slot may have been taken for dead: whoever took over speaks now.
    if datetime.now(UTC) - begun > LEASE / 3:
        raise NotNowError(1, is_lost=True)
    posted = client.chat_postMessage(
        channel=slot.channel,
        text=escape(document.summary),
        blocks=blocks,
        metadata=mark,
        unfurl_links=False,
        unfurl_media=False,
    )
    return str(posted["ts"])


def _find(client: WebClient, slot: Slot, since: datetime) -> str | None:
    read = partial(client.conversations_history, channel=slot.channel)
    return find_ours(read, since, lambda payload: payload == slot.model_dump())
