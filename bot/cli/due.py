"""What a digest that is due says: the joint between the weekly digest and whoever sends it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.journal.digest_rules import Rule
from bot.reply.document import Document

if TYPE_CHECKING:
    from bot.incident import Incident
    from bot.slack.desk import Desk


def tell(desk: Desk, rule: Rule, due: datetime) -> Document | None:
    """Return a team's week before the one in which its digest is due, or None when there is nothing to tell."""
    from bot.slack.digests import permalink
    from bot.weekly import week_of, weeks_of_teams

    def link(incident: Incident) -> str | None:
        return permalink(desk.client, incident) if incident.thread.workspace == rule.workspace else None

    week = week_of(due - timedelta(days=7))
    for found in weeks_of_teams(desk.journal, week, link, reader=rule.channel):
        if (found.workspace, found.team) == (rule.workspace, rule.team):
            return found.document
    return None
