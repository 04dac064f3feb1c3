"""Which channel a digest is to go to, however it is called: one channel has one slot a week."""

from __future__ import annotations

from functools import partial

from bot.journal.channels import find_channel
from bot.slack.desk import Desk
from bot.slack.saying.delivery import call

_MOST_PAGES = 20  # of a thousand channels each


def look_for_channel(desk: Desk, workspace: str, name: str) -> str | None:
    """Return the id of the channel that is called so, asking Slack where the journal does not know; None: nobody does.

    Raises:
        RefusedError: Slack does not let us look.
        NotNowError: Slack is busy, or out of reach.
    """
    return find_channel(desk.journal, workspace, name) or _ask_slack(desk, name.strip().removeprefix("#"))


def _ask_slack(desk: Desk, name: str) -> str | None:
    read = partial(desk.client.conversations_list, types="public_channel,private_channel", limit=1000)
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        at = cursor
        page = call(lambda: read(cursor=at))  # noqa: B023 - called at once
        found = next((room["id"] for room in page.get("channels") or () if room.get("name") == name), None)
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if found or not cursor:
            return found
    return None
