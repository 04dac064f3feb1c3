"""Opening a view for who pressed a button: Slack allows it for three seconds, and once."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from slack_bolt import Respond
from slack_sdk import WebClient

from bot.slack.saying.delivery import NotNowError, RefusedError, call
from bot.slack.saying.telling import tell
from bot.slack.saying.words import FAILED, TOO_LATE

_TOO_LATE = frozenset({"expired_trigger_id", "invalid_trigger_id", "trigger_expired"})
# An attempt whose answer was lost has opened it.
_IS_OPEN = "exchanged_trigger_id"
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
        call(partial(client.views_open, trigger_id=str(body.get("trigger_id")), view=dict(view)))
    except NotNowError:
        tell(client, respond, body, TOO_LATE)
        return False
    except RefusedError as refusal:
        if refusal.code != _IS_OPEN:
            tell(client, respond, body, _meaning(refusal))
            return False
    return True


def open_quietly(client: WebClient, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Open a view that only adds to a press which counts by itself."""
    with suppress(NotNowError, RefusedError):
        call(partial(client.views_open, trigger_id=str(body.get("trigger_id")), view=dict(view)))


def _meaning(refusal: RefusedError) -> str:
    if refusal.code in _TOO_LATE:
        return TOO_LATE
    reference = uuid.uuid4().hex[:8]
    logger.error("Reference %s: Slack opened no view: %s", reference, refusal)
    return FAILED.format(reference=reference)
