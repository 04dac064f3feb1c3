"""Telling one person something, where they pressed or typed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from slack_bolt import Respond
from slack_sdk import WebClient
from slack_sdk.webhook import WebhookClient

from bot.slack.saying.delivery import NotNowError, RefusedError, call

logger = logging.getLogger(__name__)


def person_of(body: Mapping[str, Any]) -> str:
    """Return who pressed, typed or sent what a payload tells of."""
    return str((body.get("user") or {}).get("id") or body.get("user_id") or "")


def tell(client: WebClient, respond: Respond, body: Mapping[str, Any], text: str) -> None:
    """Say a sentence where the button was pressed; what has no such place is answered in a direct message.

    Args:
        client: Speaks to Slack.
        respond: Answers the press where it was made; a Home tab and a view have no such place.
        body: What Slack tells of the press or the command.
        text: The sentence.
    """
    try:
        if not (respond.response_url and answer(respond, text=text, thread_ts=_root(body))):
            call(partial(client.chat_postMessage, channel=person_of(body), text=text))
    except (RefusedError, NotNowError) as error:
        logger.warning("A person could not be told what became of a press: %s", error)


def answer(respond: Respond, *, response_type: str = "ephemeral", replace_original: bool = False, **said: Any) -> bool:
    """Answer a press at its response address; False where Slack takes no answer there any more.

    Raises:
        NotNowError: Slack is busy or did not answer.
    """
    # Bolt's own call posts twice where the answer to the first is lost.
    hook = WebhookClient(str(respond.response_url), ssl=respond.ssl, proxy=respond.proxy, retry_handlers=[])
    body = {"response_type": response_type, "replace_original": replace_original, **said}
    status = int(call(partial(hook.send_dict, body)).status_code)
    if status == 429 or status >= 500:
        raise NotNowError(1, is_lost=status >= 500)
    return status < 400


def _root(body: Mapping[str, Any]) -> str | None:
    return (body.get("message") or {}).get("thread_ts") or (body.get("container") or {}).get("thread_ts")
