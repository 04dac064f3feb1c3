"""Drawing an open view anew as somebody changes it, in the order of their changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
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

    A change goes over the drawing that an earlier one left, and over the one that it was made in where nobody drew since.
    Where somebody drew what nobody wrote down, Slack refuses ours, and it goes over whatever is there.

    Args:
        desk: Knows what was drawn last, by whichever process.
        client: Speaks to Slack.
        body: What Slack tells of the change.
        view: The modal as it shall be.
    """
    place: Mapping[str, Any] = body["view"]
    key = press_of(workspace_of(body), "", ["drawn", place["id"]])
    at = changed_at(body)
    update = partial(client.views_update, view_id=place["id"], view=dict(view))
    seen: str | None = place.get("hash")
    tried: list[str | None] = []
    with suppress(RefusedError, NotNowError):  # closed by now, or Slack is busy
        for pause in (*_PAUSES, None):
            last = drawing(desk.journal, key)
            if last and last.at > at:
                return
            marks = [last.mark, seen] if last else [seen]
            mark = next((each for each in marks if each not in tried), None)
            if mark is None:
                time.sleep(pause or 0)
                mark = marks[0]
            if drawn := _draw(update, mark if pause else None):
                note_drawing(desk.journal, key, Drawing(at, drawn))
                return
            tried.append(mark)


def changed_at(body: Mapping[str, Any]) -> datetime:
    """Return when somebody made the change that Slack tells of."""
    return moment(body["actions"][0].get("action_ts"))


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
