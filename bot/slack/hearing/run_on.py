"""Pastes that come in several messages: split by the client, or sent one after another."""

from __future__ import annotations

from datetime import datetime

from bot.case import Case, Thread, fold
from bot.consult import ask
from bot.diagnosis.verdict import Diagnosis
from bot.journal.entries import entries, pastes_after, pastes_between
from bot.journal.open import Journal

# Longer than anybody needs to paste the next part, shorter than it takes to meet the next problem.
_SECONDS = 60
# What a client splits it sends at once, and a delivery that takes longer than this Slack gives up.
_HALVES_SECONDS = 3.0


def parts_before(journal: Journal, thread: Thread, case: Case) -> dict[Thread, str]:
    """Return the earlier parts of a paste whose last part began this thread, with the threads they stand in.

    An earlier message is a part when its writer sent it moments before, when it is about vLLM or holds a log, and when
    it alone says no problem, so that nothing was or will be answered in its thread. Chatter that follows takes it over
    as little as chatter before it is one, unless it calls us by name.
    """
    if not case.said or case.said[0].message != thread.root or not case.opener:
        return {}
    begin = f"{float(thread.root) - _SECONDS:.6f}"
    roots = pastes_between(journal, thread, case.opener, begin)
    if not roots or not (case.is_mentioned or _is_to_the_matter(ask(case.said[0].text))):
        return {}
    parts: dict[Thread, str] = {}
    for root in reversed(roots):
        earlier = thread.model_copy(update={"root": root})
        text = _part(journal, earlier)
        if text is None:
            break
        if text:
            parts[earlier] = text
    return dict(reversed(parts.items()))


def later_parts(journal: Journal, thread: Thread, case: Case, diagnosis: Diagnosis) -> tuple[Thread, ...]:
    """Return the threads, taken already, that this one may hold an earlier part for.

    Events come in no order: the last part of a paste may be read before its first was written down.
    """
    if not _is_to_the_matter(diagnosis) or not case.said or case.said[0].message != thread.root or not case.opener:
        return ()
    roots = pastes_after(journal, thread, case.opener, f"{float(thread.root) + _SECONDS:.6f}")
    return tuple(thread.model_copy(update={"root": root}) for root in roots)


def seconds_to_wait(thread: Thread, now: datetime) -> float:
    """Return for how long the second half of a paste may still be on its way; 0 where clocks cannot tell."""
    age = now.timestamp() - float(thread.root)
    return _HALVES_SECONDS - age if abs(age) < _HALVES_SECONDS else 0.0


def is_taken_up(journal: Journal, thread: Thread, case: Case, diagnosis: Diagnosis) -> bool:
    """Say whether a later message of the same paste holds this one as its earlier part."""
    later = later_parts(journal, thread, case, diagnosis)
    return any(thread in parts_before(journal, each, fold(entries(journal, each))) for each in later)


def _part(journal: Journal, thread: Thread) -> str | None:
    """Return what a message adds, nothing for chatter in between, None for one that is a case of its own."""
    case = fold(entries(journal, thread))
    if case.posted or case.is_mentioned or case.state != "open" or len(case.said) != 1:
        return None
    diagnosis = ask(case.text)
    if diagnosis.match == "exact":
        return None
    return case.text if _is_to_the_matter(diagnosis) else ""


def _is_to_the_matter(diagnosis: Diagnosis) -> bool:
    """Say whether words are about vLLM, or hold a log."""
    return diagnosis.is_for_us or bool(diagnosis.evidence.kinds - {"prose"})
