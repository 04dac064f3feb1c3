"""Which team owns a case: who somebody said, the channel's, or the one that its opener is in."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.case import Case, Thread
from bot.journal.teams import owner
from bot.slack.delivery import NotNowError, RefusedError, call
from bot.slack.desk import Desk

_KNOWN_FOR = timedelta(minutes=10)
_MOST_KNOWN = 1000
_known: dict[tuple[str, str], tuple[frozenset[str], datetime]] = {}


def owner_of(desk: Desk, thread: Thread, case: Case) -> str | None:
    """Return the owning team of a case, or None where nobody owns it but the workspace."""

    def in_group(group: str, person: str) -> bool:
        return person in _people(desk, thread.workspace, group)

    return case.team or owner(desk.journal, thread.workspace, thread.channel, case.opener, in_group)


def _people(desk: Desk, workspace: str, group: str) -> frozenset[str]:
    known = _known.get((workspace, group))
    if known and known[1] > desk.clock():
        return known[0]
    try:
        told = call(lambda: desk.client.usergroups_users_list(usergroup=group))
    except (RefusedError, NotNowError):  # no scope usergroups:read, no such group, or Slack is busy
        return frozenset()
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    people = frozenset(map(str, told.get("users") or ()))
    _known[workspace, group] = (people, desk.clock() + _KNOWN_FOR)
    return people
