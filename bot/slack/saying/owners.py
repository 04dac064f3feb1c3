"""Which team owns a case: who somebody said, the channel's, or the one that its opener is in."""

from __future__ import annotations

from typing import Any

from bot.case import Case, Thread
from bot.journal.teams import all_teams, owner
from bot.reply.block_kit import ID
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call

_MOST_NAMED = 100


def owner_of(desk: Desk, thread: Thread, case: Case) -> str | None:
    """Return the owning team of a case, or None where nobody owns it but the workspace."""

    def in_group(group: str, person: str) -> bool:
        return person in _people(desk, thread.workspace, group)

    return case.team or owner(desk.journal, thread.workspace, thread.channel, case.opener, in_group)


def chooser(desk: Desk, thread: Thread, case: Case) -> list[dict[str, Any]]:
    """Return a choice of teams below the reply of an open case that belongs to none of them, or nothing."""
    names = [known.name for known in all_teams(desk.journal, thread.workspace) if known.name != thread.workspace]
    if not names or case.state != "open" or owner_of(desk, thread, case):
        return []
    options = [{"text": {"type": "plain_text", "text": name[:75]}, "value": name} for name in names[:_MOST_NAMED]]
    select = {
        "type": "static_select",
        "action_id": f"{ID}:own",
        "placeholder": {"type": "plain_text", "text": "Which team is this?"},
        "options": options,
    }
    return [{"type": "actions", "block_id": f"{ID}:own:{thread.root}", "elements": [select]}]


def _people(desk: Desk, workspace: str, group: str) -> frozenset[str]:
    known = desk.told.groups.get((workspace, group), desk.clock())
    if known is not None:
        return known
    try:
        told = call(lambda: desk.client.usergroups_users_list(usergroup=group))
    except (RefusedError, NotNowError):  # no scope usergroups:read, no such group, or Slack is busy
        return frozenset()
    return desk.told.groups.keep((workspace, group), frozenset(map(str, told.get("users") or ())), desk.clock())
