"""What was said while we were away: Socket Mode keeps nothing for an app that is not connected."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

from bot.journal.channels import Channel, all_channels, channel
from bot.journal.entries import span_of_messages, thread_with, threads_after
from bot.slack.answering.unheard import unheard
from bot.slack.api.accounts import NotInstalledError
from bot.slack.desk import Desk
from bot.slack.listeners.messages import take_mention, take_message
from bot.slack.saying.delivery import NotNowError, RefusedError, call

_MOST_THREADS = 20
_MOST_PAGES = 10
A_PAGE = 200
_RECENT_SECONDS = 2 * 24 * 3600
_CALLED_SECONDS = 3600  # whoever called us longer ago has found help, or has given up
_OVERLAP_SECONDS = 120  # events come in no order: what is newest is not all that came before
Marks = Mapping[tuple[str, str], str]  # read from here, by workspace and channel
logger = logging.getLogger(__name__)


def marks(desk: Desk) -> dict[tuple[str, str], str]:
    """Return how far every channel that we may speak in was read."""
    found: dict[tuple[str, str], str] = {}
    for room in all_channels(desk.journal):
        span = span_of_messages(desk.journal, room.workspace, room.id)
        if room.mode != "off" and span:
            found[room.workspace, room.id] = max(span[0], f"{float(span[1]) - _OVERLAP_SECONDS:.6f}")
    return found


def back_fill(desk: Desk, since: Marks, *, with_threads: bool = True) -> None:
    """Take what was said after the marks, in channels and in threads that were alive; what is known changes nothing."""
    rooms = {(room.workspace, room.id): room for room in all_channels(desk.journal)}
    for place, newest in since.items():
        try:
            _fill(desk.at(place[0]), rooms[place], newest, with_threads=with_threads)
        except (NotNowError, RefusedError, NotInstalledError) as error:
            logger.warning("Channel %s was not read up: %s", place[1], error)
    if with_threads:
        for workspace in dict.fromkeys(place[0] for place in since):
            heard_last = max(newest for place, newest in since.items() if place[0] == workspace)
            _fill_unheard(desk, workspace, {room for team, room in rooms if team == workspace}, heard_last)


def hear_calls(desk: Desk, workspace: str, id_: str) -> None:
    """Take what called us in a channel before we were invited: of that Slack tells us at most the last.

    Raises:
        NotNowError: Slack is busy.
    """
    oldest = desk.clock().timestamp() - _CALLED_SECONDS
    try:
        _fill(desk, channel(desk.journal, workspace, id_), f"{oldest:.6f}", with_threads=False)
    except RefusedError as refusal:
        logger.warning("What called us in channel %s before we came was not read up: %s", id_, refusal)


def _fill_unheard(desk: Desk, workspace: str, known: Collection[str], heard_last: str) -> None:
    """Take the calls for us in channels that we were invited to while we were away."""
    oldest = max(float(heard_last), desk.clock().timestamp() - _RECENT_SECONDS)
    try:
        here = desk.at(workspace)
        for room in unheard(here, workspace, known):
            _fill(here, room, f"{oldest:.6f}", with_threads=False)
    except (NotNowError, RefusedError, NotInstalledError) as error:
        logger.warning("What was said where we were never heard of was not read up: %s", error)


def _fill(desk: Desk, room: Channel, newest: str, *, with_threads: bool) -> None:
    parents = _said(partial(desk.client.conversations_history, channel=room.id, oldest=newest))
    _take(desk, room, reversed(parents))
    if not with_threads or room.mode != "auto":
        return
    roots = [str(parent["ts"]) for parent in parents if parent.get("reply_count")]
    alive = threads_after(desk.journal, room.workspace, room.id, f"{float(newest) - _RECENT_SECONDS:.6f}")
    for root in dict.fromkeys([*roots, *alive][:_MOST_THREADS]):
        replies = _said(partial(desk.client.conversations_replies, channel=room.id, ts=root, oldest=newest))
        _take(desk, room, [message for message in replies if message.get("ts") != root])


def _said(read: Callable[..., Any]) -> list[Mapping[str, Any]]:
    """Return what a method lists, page by page."""
    found: list[Mapping[str, Any]] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = call(partial(read, limit=A_PAGE, cursor=cursor))
        found += page.get("messages") or ()
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            break
    return found


def _take(desk: Desk, room: Channel, messages: Iterable[Mapping[str, Any]]) -> None:
    for message in messages:
        event = {**message, "channel": room.id, **({"channel_type": "im"} if room.id.startswith("D") else {})}
        body = {"team_id": room.workspace, "event_id": f"back-fill:{room.id}:{message.get('ts')}"}
        if f"<@{desk.bot_user}>" in str(message.get("text")) and not _is_taken(desk, room, message):
            take_mention(desk, body, event)
        elif room.mode == "auto" or room.id.startswith("D"):
            take_message(desk, body, event)


def _is_taken(desk: Desk, room: Channel, message: Mapping[str, Any]) -> bool:
    """Say whether we heard a message; an order that was obeyed must not be obeyed again after a later one."""
    return thread_with(desk.journal, room.workspace, room.id, str(message.get("ts"))) is not None
