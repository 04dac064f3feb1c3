"""Channels that we are in and never heard of: who invited us, or called us there, did so while we were away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from bot.journal.channels import Channel
from bot.slack.desk import Desk
from bot.slack.saying.delivery import call

MOST = 20  # channels a round: each is read by a call of its own
_MOST_PAGES = 5


def unheard(desk: Desk, workspace: str, known: Collection[str]) -> tuple[Channel, ...]:
    """Return channels of a workspace that the app is a member of and the journal does not know.

    Raises:
        RefusedError: Slack does not tell.
        NotNowError: Slack is busy.
    """
    read = partial(desk.client.users_conversations, types="public_channel,private_channel", exclude_archived=True)
    strange = (room for room in _rooms(read) if str(room["id"]) not in known)
    return tuple(
        Channel(workspace=workspace, id=str(room["id"])) for room, _ in zip(strange, range(MOST), strict=False)
    )


def _rooms(read: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = call(partial(read, limit=200, cursor=cursor))
        yield from page.get("channels") or ()
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return
