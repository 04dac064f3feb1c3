"""What was said in a thread before we were called into it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bot.case import Thread, fold
from bot.journal.entries import entries
from bot.slack.desk import Desk, moment
from bot.slack.listeners.messages import take_words
from bot.slack.saying.delivery import RefusedError, call

# A reply in an old thread of a channel that just enabled us is not a reason to read the thread up, unless we are called.
_RECENT = timedelta(days=1)


def catch_up(desk: Desk, thread: Thread) -> None:
    """Take the messages of a thread whose beginning we have not seen."""
    case = fold(entries(desk.journal, thread))
    is_recent = desk.clock() - moment(thread.root) < _RECENT
    if not (case.is_mentioned or is_recent):
        return
    try:
        found = call(lambda: desk.client.conversations_replies(channel=thread.channel, ts=thread.root, limit=200))
    except RefusedError:  # no scope, or the thread is gone: what was said to us must do
        return
    said = [message for message in found.get("messages") or () if _is_a_persons(desk, message)]
    for message in said:
        take_words(desk, thread.workspace, _in_thread(thread, message), [])


def _is_a_persons(desk: Desk, message: Mapping[str, Any]) -> bool:
    return not message.get("bot_id") and message.get("user") != desk.bot_user and message.get("subtype") != "tombstone"


def _in_thread(thread: Thread, message: Mapping[str, Any]) -> dict[str, Any]:
    return {"thread_ts": thread.root, **message, "channel": thread.channel}
