"""What Slack knows of a channel and we must know before we tell anything of it elsewhere."""

from __future__ import annotations

from bot.journal.channels import Channel, channel, set_channel
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call


def learn(desk: Desk, workspace: str, id_: str) -> Channel:
    """Return a channel's settings, asking Slack once for its name and whether it is private."""
    room = channel(desk.journal, workspace, id_)
    if room.is_private is not None:
        return room
    try:
        told = call(lambda: desk.client.conversations_info(channel=id_))["channel"]
    except (RefusedError, NotNowError):  # not known counts as private, and is asked for again
        return room
    is_private = bool(told.get("is_private") or told.get("is_im") or told.get("is_mpim") or told.get("is_ext_shared"))
    return set_channel(desk.journal, workspace, id_, name=told.get("name"), is_private=is_private)
