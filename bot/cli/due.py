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
    from bot.cli.names import names
    from bot.journal.teams import settings_of
    from bot.slack.saying.addresses import permalink
    from bot.weekly.compose import digest
    from bot.weekly.gather import gather
    from bot.weekly.weeks import week_of

    def link(incident: Incident) -> str | None:
        return permalink(desk.at(rule.workspace).client, incident)

    # By the wall clock: a week with a change of the clocks is an hour longer or shorter.
    week = week_of(due - timedelta(days=7))
    gathered = gather(desk.journal, rule.workspace, rule.team, week, rule.channel, names())
    if gathered.is_quiet and not settings_of(desk.journal, rule.workspace, rule.team).tells_quiet_weeks:
        return None
    return digest(gathered, link)
