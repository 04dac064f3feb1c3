"""Opening a view for who pressed a button: Slack allows it for three seconds, and once."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any

from slack_bolt import Respond
from slack_sdk import WebClient

from bot.slack.saying.delivery import NotNowError, RefusedError, call
from bot.slack.saying.words import FAILED, TOO_LATE

_TOO_LATE = frozenset({"expired_trigger_id", "invalid_trigger_id", "trigger_expired"})
# An attempt whose answer was lost has opened it.
_IS_OPEN = "exchanged_trigger_id"
logger = logging.getLogger(__name__)


def open_view(client: WebClient, respond: Respond, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
    """Open a view, or tell the person alone why there is none and what to do.

    Args:
        client: Speaks to Slack.
        respond: Answers the press where it was made; a Home tab has no such place.
        body: What Slack tells of the press or the command.
        view: A modal.
    """
    try:
        call(partial(client.views_open, trigger_id=str(body.get("trigger_id")), view=dict(view)))
    except NotNowError:
        _tell(client, respond, body, TOO_LATE)
    except RefusedError as refusal:
        if refusal.code != _IS_OPEN:
            _tell(client, respond, body, _meaning(refusal))


def _meaning(refusal: RefusedError) -> str:
    if refusal.code in _TOO_LATE:
        return TOO_LATE
    reference = uuid.uuid4().hex[:8]
    logger.error("Reference %s: Slack opened no view: %s", reference, refusal)
    return FAILED.format(reference=reference)


def _tell(client: WebClient, respond: Respond, body: Mapping[str, Any], text: str) -> None:
    """Say a sentence where the button was pressed; a press on the Home tab is answered in a direct message."""
    person = str((body.get("user") or {}).get("id") or body.get("user_id") or "")
    try:
        if respond.response_url:
            call(partial(respond, text=text, response_type="ephemeral", replace_original=False, thread_ts=_root(body)))
        else:
            call(partial(client.chat_postMessage, channel=person, text=text))
    except (RefusedError, NotNowError) as error:
        logger.warning("A person could not be told that no view was opened: %s", error)


def _root(body: Mapping[str, Any]) -> str | None:
    return (body.get("message") or {}).get("thread_ts") or (body.get("container") or {}).get("thread_ts")
