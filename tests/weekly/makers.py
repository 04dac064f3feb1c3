"""Weeks of incidents with defaults."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from bot.case import Thread
from bot.incident import Counted, Incident, counted
from bot.reply.document import Bullets, Details, Document, Part, Prose, Table
from bot.weekly.figures import Gathered, Room
from bot.weekly.weeks import week_of

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
WEEK = week_of(MONDAY)
_numbers = count(1)


def an_incident(days: float = 0, channel: str = "C1", **fields: Any) -> Incident:
    opened = MONDAY + timedelta(days=days)
    thread = Thread(workspace="T1", channel=channel, root=f"{opened.timestamp():.0f}.{next(_numbers):06d}")
    return Incident(thread=thread, opened_at=opened, **fields)


def a_count(days: float = -3, **fields: Any) -> Counted:
    """Return an incident of the week before, as far as it is counted."""
    return counted(an_incident(days, **fields))


def a_week(*incidents: Incident, **fields: Any) -> Gathered:
    """Return a week in which C1 is public and G1 is private."""
    rooms = {"C1": Room(name="help", may_tell=True), "G1": Room(name="secret", may_tell=False)}
    values = {"workspace": "T1", "team": "ml", "week": WEEK, "before": (), "rooms": rooms, **fields}
    return Gathered(incidents=incidents, **values)


def a_link(incident: Incident) -> str:
    return f"https://x/{incident.thread.channel}/{incident.thread.root}"


def parts_of(parts: Document | list[Part]) -> list[Part]:
    """Return parts with those under Details."""
    top = list(parts.parts) if isinstance(parts, Document) else parts
    return [inner for part in top for inner in (part.parts if isinstance(part, Details) else (part,))]


def plain(parts: Document | list[Part]) -> str:
    """Return the prose and the bullets as text."""
    lines: list[Prose] = []
    for part in parts_of(parts):
        lines += [part] if isinstance(part, Prose) else list(part.items) if isinstance(part, Bullets) else []
    return "\n".join("".join(span.text for span in line.spans) for line in lines)


def links(parts: Document | list[Part]) -> list[str]:
    bullets = [item for part in parts_of(parts) if isinstance(part, Bullets) for item in part.items]
    return [span.url for item in bullets for span in item.spans if span.url]


def table(parts: Document | list[Part], header: str) -> dict[str, tuple[str, ...]]:
    (found,) = [part for part in parts_of(parts) if isinstance(part, Table) and part.headers[0] == header]
    return {row[0]: row[1:] for row in found.rows}
