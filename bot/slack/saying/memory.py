"""Whether a problem was met here before, and who solved it, told only to those who may know."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bot.diagnosis.verdict import Diagnosis
from bot.incident import Incident
from bot.journal.incidents import MOST_SEEN, seen_before
from bot.slack.desk import Desk
from bot.slack.saying.addresses import permalink
from bot.slack.saying.brief import Memory
from bot.slack.saying.reply import name_of_fix
from bot.slack.saying.words import MEMORY

DAYS = 28
WEEK = timedelta(days=7)
_MOST_LINKS = 3


def recall(desk: Desk, row: Incident | None, diagnosis: Diagnosis) -> Memory:
    """Return a line about earlier cases of the same fingerprint, or nothing."""
    if row is None:
        return Memory()
    earlier = seen_before(desk.journal, row, row.opened_at - timedelta(days=DAYS))
    if not earlier:
        return Memory()
    elements: list[dict[str, Any]] = [_text(_how_often(row, earlier))]
    solved = next((past for past in earlier if past.state == "resolved" and past.resolver), None)
    if solved:
        elements += [_text(", last solved by "), {"type": "user", "user_id": solved.resolver}]
        elements += [_text(f": {name_of_fix(solved.fix, diagnosis)}")] if solved.fix else []
    elements += _links(desk, (solved, *earlier) if solved else earlier)
    section = {"type": "rich_text_section", "elements": elements}
    is_the_same = any((past.model, past.gpu) == (row.model, row.gpu) for past in earlier)
    return Memory(({"type": "rich_text", "elements": [section]},), is_the_same)


def _how_often(row: Incident, earlier: tuple[Incident, ...]) -> str:
    lately = sum(past.opened_at > row.opened_at - WEEK for past in earlier)
    count, when = (lately, "this week") if lately else (len(earlier), f"in the last {DAYS} days")
    more = " or more" if count == MOST_SEEN else ""
    return MEMORY.format(times="once" if count == 1 else f"{count}{more} times", when=when)


def _links(desk: Desk, earlier: tuple[Incident, ...]) -> list[dict[str, Any]]:
    told = {past.thread: past for past in earlier}
    found: list[dict[str, Any]] = []
    for past in list(told.values())[:_MOST_LINKS]:
        address = _address(desk, past)
        if address:
            found += [_text(" · "), _when(past.opened_at, address)]
    return found


def _when(moment: datetime, address: str) -> dict[str, Any]:
    """Return a time as each reader's clock shows it, which leads to the thread."""
    shown = {"format": "{date_short_pretty} at {time}", "fallback": moment.strftime("%d %b %H:%M UTC")}
    return {"type": "date", "timestamp": int(moment.timestamp()), "url": address, **shown}


def _address(desk: Desk, past: Incident) -> str | None:
    """Return the address of a thread, asking Slack once."""
    place = tuple(past.thread.model_dump().values())
    known = desk.told.addresses.get(place, desk.clock())
    if known is not None:
        return known
    address = permalink(desk.client, past)
    return address and desk.told.addresses.keep(place, address, desk.clock())


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
