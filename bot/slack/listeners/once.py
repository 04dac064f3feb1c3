"""A press that comes three times acts once, whichever processes it comes to."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from slack_bolt import Respond
from slack_sdk import WebClient

from bot.journal.presses import KEPT, Press, claim, finish, give_back, press_of
from bot.slack.desk import Desk
from bot.slack.listeners.messages import workspace_of
from bot.slack.metrics import DUPLICATES
from bot.slack.saying.telling import person_of, tell
from bot.slack.saying.words import FAILED, UNDER_WAY

Act = Callable[[dict[str, Any], WebClient, Respond], bool | None]
"""What a press does; it returns False when it could not, and has said why."""

AGAIN = timedelta(seconds=3)
"""How long what opens or redraws is not opened anew: as long as Slack lets one press open a view."""

logger = logging.getLogger(__name__)


def once(desk: Desk, act: Act, done: str | None = None) -> Callable[[dict[str, Any], WebClient, Respond], None]:
    """Return a listener that acts on a press once, and tells who presses again what became of it.

    Args:
        desk: Where presses are claimed.
        act: What a press does.
        done: What to say to the same press made again; None: its effect is in sight, and soon it may be wanted anew.
    """

    def acted(body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        press = press_in(body)
        state = claim(desk.journal, press, desk.clock(), KEPT if done else AGAIN)
        if state == "ours":
            _act(desk, press, lambda: act(body, client, respond), lambda said: tell(client, respond, body, said))
            return
        DUPLICATES.inc()
        said = done if state == "done" else UNDER_WAY
        if done and said and _is_first_said(desk, press_in(body, said)):
            tell(client, respond, body, said)

    return acted


def _is_first_said(desk: Desk, telling: Press) -> bool:
    """Claim telling a press that it was made before: who presses quickly is told once."""
    if claim(desk.journal, telling, desk.clock(), AGAIN) != "ours":
        return False
    finish(desk.journal, telling, desk.clock())
    return True


def _act(desk: Desk, press: Press, act: Callable[[], bool | None], say: Callable[[str], None]) -> None:
    try:
        is_done = act() is not False
    except Exception:
        is_done, reference = False, uuid.uuid4().hex[:8]
        logger.exception("Reference %s: a press could not be acted on", reference)
        say(FAILED.format(reference=reference))
    if is_done:
        finish(desk.journal, press, desk.clock())
    else:
        give_back(desk.journal, press)


@contextmanager
def held(desk: Desk, press: Press) -> Generator[bool]:
    """Hold a press while it is acted on before it is acknowledged; yield whether it is ours to act on."""
    if claim(desk.journal, press, desk.clock(), AGAIN) != "ours":
        DUPLICATES.inc()
        yield False
        return
    try:
        yield True
    except BaseException:
        give_back(desk.journal, press)
        raise
    finish(desk.journal, press, desk.clock())


def press_in(body: Mapping[str, Any], *also: str) -> Press:
    """Return what a payload tells of: a command by its trigger, a form by its view, a button by where it stands.

    `also` tells apart what the same payload asks for twice.
    """
    channel = str((body.get("channel") or {}).get("id") or body.get("channel_id") or "")
    return press_of(workspace_of(body), channel, [*_told_apart(body), person_of(body), *also])


def _told_apart(body: Mapping[str, Any]) -> list[object]:
    container: Mapping[str, Any] = body.get("container") or {}
    view: Mapping[str, Any] = body.get("view") or {}
    place = container.get("message_ts") or body.get("message_ts") or view.get("id")
    if body.get("actions"):
        action = body["actions"][0]
        wanted = (action.get(each) for each in ("action_id", "value", "selected_option", "selected_conversation"))
        return [place, *wanted]
    if place:
        return [place, view.get("hash"), body.get("callback_id")]
    return [body.get("trigger_id")]
