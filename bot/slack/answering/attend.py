"""What the worker does with one thread: read it up, diagnose, speak or keep quiet, file the incident."""

from __future__ import annotations

from datetime import datetime
from threading import Lock

from bot.case import Case, Entry, EntryKind, Thread, fold
from bot.diagnosis.verdict import Diagnosis
from bot.hub.look_up import look_up
from bot.incident import Incident, incident
from bot.journal.effects import effect
from bot.journal.entries import entries
from bot.journal.incidents import close
from bot.journal.owed import owe_again
from bot.sizing.terms import Budget
from bot.slack.answering.back_fill import hear_calls
from bot.slack.answering.catch_up import catch_up
from bot.slack.answering.filing import file_case
from bot.slack.desk import Desk
from bot.slack.hearing.files import read_files
from bot.slack.hearing.heard import diagnose_case
from bot.slack.hearing.run_on import is_taken_up, later_parts, seconds_to_wait
from bot.slack.saying.attach import attach, picture
from bot.slack.saying.delivery import Message, NotNowError, in_words, show, withdraw
from bot.slack.saying.marks import mark_root
from bot.slack.saying.memory import recall
from bot.slack.saying.offer import is_worth_an_offer, offer
from bot.slack.saying.owners import chooser
from bot.slack.saying.reply import escalation, open_questions, reply
from bot.slack.saying.status import status
from bot.slack.saying.welcome import greeting, welcome
from bot.slack.saying.words import DELETED, READING
from bot.slack.sizes.answer import in_thread
from bot.slack.sizes.wish import Wish, outcome

REPLY = "reply"
WELCOME = "welcome"
_LONG = 200_000  # characters
_LONG_WAIT_SECONDS = 0.1
_one_long_log = Lock()


def attend(desk: Desk, thread: Thread) -> None:
    """Bring our part of a thread up to date with its entries; doing it again changes nothing.

    Raises:
        NotNowError: Slack is busy; the same call later goes on where it stopped.
        RefusedError: Slack will not take what we say.
    """
    case = fold(entries(desk.journal, thread))
    if _length(case) < _LONG:
        _attend(desk, thread, case)
        return
    # Long logs are read one at a time: together they would keep short pastes and acknowledgements waiting.
    if not _one_long_log.acquire(blocking=False):
        raise NotNowError(_LONG_WAIT_SECONDS)
    try:
        with status(desk, thread, READING):
            _attend(desk, thread, case)
    finally:
        _one_long_log.release()


def _length(case: Case) -> int:
    return len(case.text) + sum(file.size or 0 for file in case.files)


def _attend(desk: Desk, thread: Thread, case: Case) -> None:
    case = _read_up(desk, thread, case)
    for message, text in case.notices.items():
        show(desk, thread, f"notice:{message}", Message(text))
    if case.is_invited:
        _come_in(desk, thread)
    if case.state in {"withdrawn", "not-ours"}:
        _leave(desk, thread, case)
    elif case.said and not case.is_muted:
        _answer(desk, thread, case)
    elif case.is_muted:
        mark_root(desk, thread, case, is_spoken=False)


def _come_in(desk: Desk, thread: Thread) -> None:
    """Greet, once; whoever called us into a channel is answered too."""
    is_direct = thread.channel.startswith("D")
    if not is_direct and not effect(desk.journal, thread, WELCOME):
        hear_calls(desk, thread.workspace, thread.channel)
    show(desk, thread, WELCOME, greeting() if is_direct else welcome())


def _read_up(desk: Desk, thread: Thread, case: Case) -> Case:
    is_headless = case.said and case.state != "withdrawn" and not case.has(thread.root)
    if is_headless:
        catch_up(desk, thread)
        # Even if it took nothing: the event of the first message may have come meanwhile.
        case = fold(entries(desk.journal, thread))
    if case.files and read_files(desk, thread, case):
        case = fold(entries(desk.journal, thread))
    return case


def _answer(desk: Desk, thread: Thread, case: Case) -> None:
    diagnosis = diagnose_case(desk, thread, case, look_up)
    row, posted_at = incident(thread, case, diagnosis), case.answered_at
    is_spoken = speaks(case, diagnosis)
    if is_spoken:
        _note_questions(desk, thread, case, diagnosis)
        said = _said(desk, thread, case, diagnosis, row)
        stamp = show(desk, thread, REPLY, said)
        posted_at = _note_posted(desk, thread, case, stamp)
        attach(desk, thread, said)
        if case.is_drawn and (budget := _budget(case, diagnosis)):
            picture(desk, thread, budget)
    if is_spoken or concerns_us(case, diagnosis):
        for file_id, reason in case.unreadable.items():
            show(desk, thread, f"unreadable:{file_id}", in_words(reason))
    if row and diagnosis.is_for_us:
        file_case(desk, thread, case, row.model_copy(update={"answered_at": posted_at}))
    if case.is_escalated:
        show(desk, thread, "escalation", escalation(desk, thread, case, diagnosis))
    mark_root(desk, thread, case, is_spoken=is_spoken, diagnosis=diagnosis)
    _tell_later_parts(desk, thread, case, diagnosis)
    if not is_spoken and is_worth_an_offer(case, diagnosis):
        _offer(desk, thread, case, diagnosis)


def _offer(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis) -> None:
    """Offer a look at what is whole: a whisper cannot be taken back when the second half of a paste comes after it."""
    if wait := seconds_to_wait(thread, desk.clock()):
        raise NotNowError(wait)
    if not is_taken_up(desk.journal, thread, case, diagnosis):
        offer(desk, thread, case)


def _tell_later_parts(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis) -> None:
    if speaks(case, diagnosis):
        return
    for later in later_parts(desk.journal, thread, case, diagnosis):
        owe_again(desk.journal, later)
        desk.bell.set()


def _said(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis, row: Incident | None) -> Message:
    if wants_a_budget(diagnosis):
        return in_thread(_wish(case), look_up, is_drawn=case.is_drawn)
    memory = recall(desk, row, diagnosis)
    said = reply(thread, case, diagnosis, memory, _before_the_edit(desk, thread, case))
    return said.with_(chooser(desk, thread, case))


def _wish(case: Case) -> Wish:
    return Wish(text=case.text, facts=case.facts)


def _budget(case: Case, diagnosis: Diagnosis) -> Budget | None:
    return outcome(_wish(case), look_up).sized.diagnosis.budget if wants_a_budget(diagnosis) else diagnosis.budget


def wants_a_budget(diagnosis: Diagnosis) -> bool:
    """Say whether somebody names a model and its cards and no trouble with them."""
    deployment = diagnosis.deployment
    is_named = bool(deployment.model and (deployment.gpu or deployment.card))
    return is_named and diagnosis.problem is None and not diagnosis.is_for_us


def _before_the_edit(desk: Desk, thread: Thread, case: Case) -> Diagnosis | None:
    if not case.before_edit or not case.posted:
        return None
    return diagnose_case(desk, thread, case.model_copy(update={"said": case.before_edit}), look_up)


def speaks(case: Case, diagnosis: Diagnosis) -> bool:
    """Say whether we speak: always when asked by name or speaking already, else only when we are sure.

    Where all that we were given is a file that we cannot read, saying so is the answer.
    """
    if case.posted:
        return True
    if case.is_mentioned:
        return diagnosis.is_for_us or not case.unreadable
    return diagnosis.is_for_us and diagnosis.match == "exact"


def concerns_us(case: Case, diagnosis: Diagnosis) -> bool:
    """Say whether a file that came with the words is likely about vLLM too."""
    return case.is_mentioned or diagnosis.is_for_us or bool(diagnosis.evidence.facts) or "vllm" in case.text.lower()


def _note_questions(desk: Desk, thread: Thread, case: Case, diagnosis: Diagnosis) -> None:
    for question in open_questions(case, diagnosis):
        if question.name not in case.asked:
            entry = Entry(kind=EntryKind.ASKED, at=desk.clock(), fact=question.name)
            desk.note(thread, entry, f"asked:{thread.channel}:{thread.root}:{question.name}")


def _note_posted(desk: Desk, thread: Thread, case: Case, stamp: str | None) -> datetime | None:
    """Write down a reply that is new, and return when the case was answered first."""
    now = desk.clock()
    if stamp and stamp != case.posted:
        desk.note(thread, Entry(kind=EntryKind.POSTED, at=now, message=stamp), f"posted:{thread.channel}:{stamp}")
    return case.answered_at or now


def _leave(desk: Desk, thread: Thread, case: Case) -> None:
    if case.state == "withdrawn" and case.said and case.posted:  # others have spoken: their thread keeps its sense
        show(desk, thread, REPLY, Message(DELETED))
    else:
        withdraw(desk, thread, REPLY)
    close(desk.journal, thread, case.state)
    mark_root(desk, thread, case, is_spoken=False)
