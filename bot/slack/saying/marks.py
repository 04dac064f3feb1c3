"""The reaction on the first message that shows where a case stands."""

from __future__ import annotations

import logging

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis
from bot.journal.effects import begin, effect, finish, undo
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call

EYES, DONE, QUIET = "eyes", "white_check_mark", "zipper_mouth_face"
logger = logging.getLogger(__name__)


def mark_root(desk: Desk, thread: Thread, case: Case, *, is_spoken: bool, diagnosis: Diagnosis | None = None) -> None:
    """Show the state by our reactions: looked at, resolved, or none."""
    is_ours = diagnosis is not None and diagnosis.is_for_us and (is_spoken or diagnosis.match == "alike")
    wanted = QUIET if case.is_muted else {"open": EYES, "resolved": DONE}.get(case.state) if is_ours else None
    for name in (EYES, DONE, QUIET):
        _set(desk, thread, name, is_wanted=name == wanted)


def _set(desk: Desk, thread: Thread, name: str, *, is_wanted: bool) -> None:
    purpose = f"reaction:{name}"
    is_there = effect(desk.journal, thread, purpose) is not None
    if is_there == is_wanted:
        return
    change = desk.client.reactions_add if is_wanted else desk.client.reactions_remove
    try:
        call(lambda: change(channel=thread.channel, timestamp=thread.root, name=name))
    except (RefusedError, NotNowError) as error:  # a nicety: it never holds up the answer
        logger.info("The reaction %s on %s was not changed: %s", name, thread.root, error)
    if is_wanted:
        begin(desk.journal, thread, purpose, desk.clock())
        finish(desk.journal, thread, purpose, message=None)
    else:
        undo(desk.journal, thread, purpose)
