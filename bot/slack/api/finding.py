"""Finding what we posted ourselves when a crash kept us from writing it down: messages by their metadata, files by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

MARK = "vllm_triage"  # the metadata's event type, by which our own messages are found again
_SKEW = timedelta(minutes=5)  # between our clock and Slack's


def find_ours(read: Callable[..., Any], since: datetime, is_it: Callable[[Mapping[str, Any]], bool]) -> str | None:
    """Return the timestamp of the message whose payload `is_it`, posted after `since`, or None.

    `read` is a method of the Web API that lists messages, bound to its place; it is called once a page.
    """
    for message in _messages(read, since):
        metadata = message.get("metadata") or {}
        if metadata.get("event_type") == MARK and is_it(metadata.get("event_payload") or {}):
            return str(message["ts"])
    return None


def find_file(read: Callable[..., Any], since: datetime, name: str, bot_user: str) -> str | None:
    """Return the timestamp of our message with a file of that name, posted after `since`, or None."""
    for message in _messages(read, since):
        names = {file.get("name") for file in message.get("files") or ()}
        if name in names and message.get("user") == bot_user:
            return str(message["ts"])
    return None


def _messages(read: Callable[..., Any], since: datetime) -> Iterator[Mapping[str, Any]]:
    oldest = f"{(since - _SKEW).timestamp():.6f}"
    cursor: str | None = None
    while True:
        page = read(oldest=oldest, include_all_metadata=True, limit=200, cursor=cursor)
        yield from page.get("messages") or ()
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return
