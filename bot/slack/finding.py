"""Finding what we posted ourselves, by its metadata, when a crash kept us from writing it down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

MARK = "vllm_triage"  # the metadata's event type, by which our own messages are found again
_SKEW = timedelta(minutes=5)  # between our clock and Slack's


def find_ours(read: Callable[..., Any], since: datetime, is_it: Callable[[Mapping[str, Any]], bool]) -> str | None:
    """Return the timestamp of the message whose payload `is_it`, posted after `since`, or None.

    `read` is a method of the Web API that lists messages, bound to its place; it is called once a page.
    """
    oldest = f"{(since - _SKEW).timestamp():.6f}"
    cursor: str | None = None
    while True:
        page = read(oldest=oldest, include_all_metadata=True, limit=200, cursor=cursor)
        for message in page.get("messages") or ():
            metadata = message.get("metadata") or {}
            if metadata.get("event_type") == MARK and is_it(metadata.get("event_payload") or {}):
                return str(message["ts"])
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return None
