"""Makers of threads, entries and incidents, with defaults."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.case import Entry, EntryKind, Thread
from bot.incident import Incident

MONDAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


def a_thread(root: str = "1764000000.000100", channel: str = "C1", workspace: str = "T1") -> Thread:
    return Thread(workspace=workspace, channel=channel, root=root)


def an_entry(kind: EntryKind = EntryKind.PASTE, minutes: float = 0, **fields: Any) -> Entry:
    return Entry(kind=kind, at=MONDAY + timedelta(minutes=minutes), **{"message": "1764000000.000100", **fields})


def an_incident(root: str = "1764000000.000100", days: float = 0, channel: str = "C1", **fields: Any) -> Incident:
    opened = MONDAY + timedelta(days=days)
    return Incident(thread=a_thread(root, channel), opened_at=opened, **{"fingerprint": "f1", **fields})
