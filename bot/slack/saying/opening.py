"""Opening a view for who pressed a button: Slack allows it for three seconds, and once."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from math import ceil
from typing import Any

from slack_bolt import Respond
from slack_sdk import WebClient

from bot.slack.saying.delivery import NotNowError, RefusedError, call
from bot.slack.saying.telling import tell
from bot.slack.saying.words import BUSY, FAILED, NO_WINDOW, TOO_LATE

_TOO_LATE = frozenset({"expired_trigger_id", "invalid_trigger_id", "trigger_expired"})
# An attempt whose answer was lost has opened it.
_IS_OPEN = "exchanged_trigger_id"
_LONGEST_WAIT = 2  # seconds before the second attempt: Slack lets one press open a view for three
logger = logging.getLogger(__name__)


def open_view(client: WebClient, respond: Respond, body: Mapping[str, Any], view: Mapping[str, Any]) -> bool:
    """Open a view and return True, or tell the person alone why there is none and what to do.

    Args:
        client: Speaks to Slack.
        respond: Answers the press where it was made; a Home tab has no such place.
        body: What Slack tells of the press or the command.
        view: A modal.
    """
    try:
        _open(client, body, view)
    except NotNowError as later:
        tell(client, respond, body, NO_WINDOW if later.is_lost else BUSY.format(seconds=ceil(later.seconds)))
        return False
    except RefusedError as refusal:
        if refusal.code != _IS_OPEN:
            tell(client, respond, body, _meaning(refusal))
            return False
    return True


def open_quietly(client: WebClient, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Open a view that only adds to a press which counts by itself."""
    with suppress(NotNowError, RefusedError):
        _open(client, body, view)


def _open(client: WebClient, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Open a view, at the second attempt where the first is put off for a moment or its answer lost.

    Raises:
        NotNowError: Slack lets us wait for longer than a press lasts, or did not answer twice.
        RefusedError: Slack will not.
    """
    ask = partial(client.views_open, trigger_id=str(body.get("trigger_id")), view=dict(view))
    try:
        call(ask)
    except NotNowError as later:
        if later.seconds > _LONGEST_WAIT:
            raise
        time.sleep(later.seconds)
        try:
            call(ask)
        except RefusedError as refusal:
            raise later if refusal.code in _TOO_LATE else refusal from refusal


def _meaning(refusal: RefusedError) -> str:
    if refusal.code in _TOO_LATE:
        return TOO_LATE
    reference = uuid.uuid4().hex[:8]
    logger.error("Reference %s: Slack opened no view: %s", reference, refusal)
    return FAILED.format(reference=reference)
