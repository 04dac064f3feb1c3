"""Posting a digest in a channel, once: the message, in its thread the rest, the sheet and pictures of the charts."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial

from slack_sdk import WebClient

from bot.case import Thread
from bot.journal.digests import LEASE, Slot, claim_slot, fill_slot, free_slot, take_over_slot
from bot.reply.charts.png import draw
from bot.reply.document import Chart, Document
from bot.reply.pages import pages
from bot.slack.api.finding import MARK, find_ours
from bot.slack.api.markup import escape
from bot.slack.desk import Desk
from bot.slack.saying.attach import upload
from bot.slack.saying.delivery import TOO_BIG, Message, NotNowError, RefusedError, call, show

logger = logging.getLogger(__name__)


def post_digest(desk: Desk, slot: Slot, document: Document) -> bool:
    """Post a digest; False when this channel had it already, or another process is at it.

    The slot is filled last: whoever takes over from a process that died posts what is missing in the thread.

    Raises:
        RefusedError: Slack does not let us speak there.
        NotNowError: Slack is busy; the slot is free again, or taken over later where the answer was lost.
    """
    begun = datetime.now(UTC)
    is_ours = claim_slot(desk.journal, slot, begun)
    since = begun if is_ours else take_over_slot(desk.journal, slot, begun)
    if since is None:
        return False
    found = None if is_ours else call(lambda: _find(desk.client, slot, since))
    stamp, pictures = (found, ()) if found else _post(desk, slot, document, begun)
    _add_the_rest(desk, Thread(workspace=slot.workspace, channel=slot.channel, root=stamp), document, pictures)
    fill_slot(desk.journal, slot, stamp)
    return found is None


def _post(desk: Desk, slot: Slot, document: Document, begun: datetime) -> tuple[str, tuple[Chart, ...]]:
    """Post the message; return its timestamp, and the charts that Slack would not draw."""
    try:
        return _say(desk, slot, document, begun)
    except (RefusedError, NotNowError) as error:
        if not (isinstance(error, NotNowError) and error.is_lost):
            free_slot(desk.journal, slot)
        raise


def _say(desk: Desk, slot: Slot, document: Document, begun: datetime) -> tuple[str, tuple[Chart, ...]]:
    charts = tuple(part for part in document.parts if isinstance(part, Chart))
    try:
        return call(lambda: _send(desk.client, slot, document, begun, draws_charts=True)), ()
    except RefusedError as refusal:
        if refusal.code not in TOO_BIG or not charts:
            raise
        # Workspaces that do not draw charts yet refuse the whole message for one.
        logger.warning("Slack refused the digest's charts (%s); they go as letters and pictures", refusal.code)
    return call(lambda: _send(desk.client, slot, document, begun, draws_charts=False)), charts


def _send(client: WebClient, slot: Slot, document: Document, begun: datetime, *, draws_charts: bool) -> str:
    blocks = pages(document, draws_charts=draws_charts)[0]
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


def _add_the_rest(desk: Desk, thread: Thread, document: Document, pictures: Iterable[Chart]) -> None:
    """Post in the thread what the message has no room for, each part once."""
    for number, blocks in enumerate(pages(document)[1:], start=2):
        show(desk, thread, f"digest:{number}", Message("The week in detail", tuple(blocks)))
    for number, chart in enumerate(pictures, start=1):
        picture = draw(chart)
        if picture:
            upload(desk, thread, f"digest:chart:{number}", f"{chart.title}.png", picture)
    for file in document.files:
        upload(desk, thread, f"digest:{file.name}", file.name, file.text)
