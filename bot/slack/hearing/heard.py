"""What of a case is read for its diagnosis: earlier parts of the paste, the paste, and replies that add to it."""

from __future__ import annotations

from typing import NamedTuple

from bot.case import Case, Said, Thread
from bot.consult import ask
from bot.diagnosis.identify import LookUp
from bot.diagnosis.verdict import Diagnosis
from bot.diagnosis.words.talk import listen
from bot.journal.incidents import unfile
from bot.journal.open import Journal
from bot.reading.read import read
from bot.slack.desk import Desk
from bot.slack.hearing.run_on import parts_before


class Heard(NamedTuple):
    """A diagnosis, and the other threads that parts of its paste stand in."""

    diagnosis: Diagnosis
    parts: tuple[Thread, ...] = ()


def diagnose_case(desk: Desk, thread: Thread, case: Case, look_up: LookUp | None) -> Diagnosis:
    """Return the diagnosis of a case; threads that hold an earlier part of its paste are no cases of their own."""
    heard = hear(desk.journal, thread, case, look_up)
    for part in heard.parts:
        unfile(desk.journal, part)
    return heard.diagnosis


def hear(journal: Journal, thread: Thread, case: Case, look_up: LookUp | None) -> Heard:
    """Return the diagnosis of all that was said to the matter in a thread.

    What people chat about below a paste must not talk us out of what the paste shows: where the whole is none of ours,
    its first message alone decides.
    """
    first, *replies = case.said
    kept = [first.text, *(said.text for said in replies if _adds(said))]
    earlier = parts_before(journal, thread, case)
    diagnosis = ask(_joined(*earlier.values(), *kept), case.facts, look_up)
    if not diagnosis.is_for_us and replies:
        diagnosis = ask(_joined(*earlier.values(), first.text), case.facts, look_up)
    return Heard(diagnosis, tuple(earlier))


def _adds(said: Said) -> bool:
    """Say whether a reply is to the matter: "thanks, works now" ends it and says nothing about it."""
    evidence = read(said.text)
    talk = listen(evidence.lines)
    return bool(evidence.kinds - {"prose"}) or talk.is_asking or not talk.is_over


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)
