"""Drawing an open view anew as somebody changes it, in the order of their changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from slack_sdk import WebClient

from bot.journal.drawings import Drawing, drawing, note_drawing
from bot.journal.presses import press_of
from bot.slack.desk import Desk, moment
from bot.slack.listeners.messages import workspace_of
from bot.slack.saying.delivery import NotNowError, RefusedError, call

_CONFLICT = "hash_conflict"
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between attempts: whoever drew before us has to hear from Slack and to write it down."""

_LONGEST_WAIT = 3  # seconds that Slack may make us wait: a form that stands still for longer is changed again or sent


def redraw(desk: Desk, client: WebClient, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Draw a view for a change of it, unless a later change has drawn it, or it was closed.

    A change tells which drawing it was made in. Where an earlier change was drawn since, Slack refuses ours, and it goes
    over that one; where nobody says what was drawn since, over whatever is there.

    Args:
        desk: Knows what was drawn last, by whichever process.
        client: Speaks to Slack.
        body: What Slack tells of the change.
        view: The modal as it shall be.
    """
    place: Mapping[str, Any] = body["view"]
    key = press_of(workspace_of(body), "", ["drawn", place["id"]])
    at = moment(body["actions"][0].get("action_ts"))
    update = partial(client.views_update, view_id=place["id"], view=dict(view))
    mark: str | None = place.get("hash")
    with suppress(RefusedError, NotNowError):  # closed by now, or Slack is busy
        for pause in (*_PAUSES, None):
            if drawn := _draw(update, mark if pause else None):
                note_drawing(desk.journal, key, Drawing(at, drawn))
                return
            last = drawing(desk.journal, key)
            if last and last.at > at:
                return
            if last and last.mark != mark:
                mark = last.mark
            else:
                time.sleep(pause or 0)


def _draw(update: Callable[..., Any], mark: str | None) -> str | None:
    """Return Slack's mark of the drawing, or None where it was not drawn and may be later.

    Raises:
        NotNowError: It would be too late.
        RefusedError: It never will.
    """
    try:
        return str(call(lambda: update(hash=mark))["view"]["hash"])
    except NotNowError as later:
        if later.seconds > _LONGEST_WAIT:
            raise
        time.sleep(later.seconds)
    except RefusedError as refusal:
        if refusal.code != _CONFLICT:
            raise
    return None
