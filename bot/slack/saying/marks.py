"""The reaction on the first message that shows where a case stands."""

from __future__ import annotations

import logging

from bot.case import Case, Thread
from bot.diagnosis.verdict import Diagnosis
from bot.journal.effects import purposes, record, undo
from bot.slack.desk import Desk
from bot.slack.saying.delivery import NotNowError, RefusedError, call

EYES, DONE, QUIET = "eyes", "white_check_mark", "zipper_mouth_face"
logger = logging.getLogger(__name__)


def mark_root(desk: Desk, thread: Thread, case: Case, *, is_spoken: bool, diagnosis: Diagnosis | None = None) -> None:
    """Show the state by our reactions: looked at, resolved, or none."""
    is_ours = diagnosis is not None and diagnosis.is_for_us and (is_spoken or diagnosis.match == "alike")
    wanted = QUIET if case.is_muted else {"open": EYES, "resolved": DONE}.get(case.state) if is_ours else None
    names = {f"reaction:{name}": name for name in (EYES, DONE, QUIET)}
    there = {names[purpose] for purpose in purposes(desk.journal, thread, names)}
    for name in names.values():
        if (name in there) != (name == wanted):
            _set(desk, thread, name, is_wanted=name == wanted)


def _set(desk: Desk, thread: Thread, name: str, *, is_wanted: bool) -> None:
    change = desk.client.reactions_add if is_wanted else desk.client.reactions_remove
    try:
        call(lambda: change(channel=thread.channel, timestamp=thread.root, name=name))
    except (RefusedError, NotNowError) as error:  # a nicety: it never holds up the answer
        logger.info("The reaction %s on %s was not changed: %s", name, thread.root, error)
    if is_wanted:
        record(desk.journal, thread, f"reaction:{name}", desk.clock())
    else:
        undo(desk.journal, thread, f"reaction:{name}")
