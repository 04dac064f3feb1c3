"""What was said while we were away: Socket Mode keeps nothing for an app that is not connected."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from bot.case import Thread
from bot.journal.channels import Channel, all_channels
from bot.journal.entries import span_of_messages, threads_after
from bot.slack.delivery import NotNowError, RefusedError, call
from bot.slack.desk import Desk
from bot.slack.listeners.messages import take_message

_MOST_THREADS = 20
_RECENT_SECONDS = 2 * 24 * 3600
_OVERLAP_SECONDS = 120  # events come in no order: what is newest is not all that came before
Marks = Mapping[tuple[str, str], str]  # read from here, by workspace and channel
logger = logging.getLogger(__name__)


def marks(desk: Desk) -> dict[tuple[str, str], str]:
    """Return how far every channel that we speak in by ourselves was read."""
    found: dict[tuple[str, str], str] = {}
    for room in all_channels(desk.journal):
        span = span_of_messages(desk.journal, room.workspace, room.id)
        if room.mode == "auto" and span:
            found[room.workspace, room.id] = max(span[0], f"{float(span[1]) - _OVERLAP_SECONDS:.6f}")
    return found


def back_fill(desk: Desk, since: Marks) -> None:
    """Take what was said after the marks, in channels and in threads that were alive; what is known changes nothing."""
    rooms = {(room.workspace, room.id): room for room in all_channels(desk.journal)}
    for place, newest in since.items():
        try:
            _fill(desk.at(place[0]), rooms[place], newest)
        except (NotNowError, RefusedError) as error:
            logger.warning("Channel %s was not read up: %s", place[1], error)


def _fill(desk: Desk, room: Channel, newest: str) -> None:
    history = call(lambda: desk.client.conversations_history(channel=room.id, oldest=newest, limit=200))
    parents = list(history.get("messages") or ())
    _take(desk, room, reversed(parents))
    roots = [str(parent["ts"]) for parent in parents if parent.get("reply_count")]
    alive = threads_after(desk.journal, room.workspace, room.id, f"{float(newest) - _RECENT_SECONDS:.6f}")
    for root in dict.fromkeys([*roots, *alive][:_MOST_THREADS]):
        _fill_thread(desk, room, root, newest)


def _fill_thread(desk: Desk, room: Channel, root: str, newest: str) -> None:
    thread = Thread(workspace=room.workspace, channel=room.id, root=root)
    found = call(lambda: desk.client.conversations_replies(channel=room.id, ts=root, oldest=newest, limit=200))
    replies = [message for message in found.get("messages") or () if message.get("ts") != thread.root]
    _take(desk, room, replies)


def _take(desk: Desk, room: Channel, messages: Iterable[Mapping[str, Any]]) -> None:
    for message in messages:
        event = {**message, "channel": room.id}
        take_message(desk, {"team_id": room.workspace, "event_id": f"back-fill:{room.id}:{message.get('ts')}"}, event)
