"""What a thread adds up to: entries folded into a case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from bot.frozen import Frozen
from bot.typed_answer import typed_answers

WHOLE_CHANNEL = "channel"  # the root of what we say to a channel as a whole


class Thread(Frozen):
    """Where a case lives: a workspace, a channel, and the timestamp of the message that began it."""

    workspace: str
    channel: str
    root: str

    @property
    def is_whole_channel(self) -> bool:
        """Whether this is no thread but the channel itself."""
        return self.root == WHOLE_CHANNEL


class EntryKind(StrEnum):
    """What one entry says."""

    PASTE = "paste"  # the message that began the thread
    REPLY = "reply"  # a person's message further down
    FILE = "file"  # what a snippet or log of a message holds
    UNREADABLE = "unreadable"  # a file that we cannot read, and why
    MENTIONED = "mentioned"  # somebody asked us by name, or in a direct message
    ASKED = "asked"  # we asked for a fact
    ANSWER = "answer"  # a question was answered; a value of None is "I don't know"
    EDITED = "edited"
    DELETED = "deleted"
    POSTED = "posted"  # our reply, so that it is edited and never repeated
    RESOLVED = "resolved"
    REOPENED = "reopened"
    NOT_OURS = "not-ours"
    MUTED = "muted"
    UNMUTED = "unmuted"
    ESCALATED = "escalated"
    FEEDBACK = "feedback"
    DRAWN = "drawn"  # somebody wants to see the budget as a picture
    NOTICE = "notice"  # a sentence of ours that is owed in the thread
    INVITED = "invited"  # somebody let us into the channel
    OWNED = "owned"  # somebody said which team it belongs to


# What is written down of our own doing, beside a person's.
OURS = frozenset(
    {EntryKind.ASKED, EntryKind.POSTED, EntryKind.NOTICE, EntryKind.FILE, EntryKind.UNREADABLE, EntryKind.INVITED}
)


class Attachment(Frozen):
    """A file that a message carries and that may hold a paste."""

    id: str
    name: str = ""
    kind: str = ""  # Slack's file type or MIME type
    size: int | None = None  # bytes
    url: str | None = None


class Entry(Frozen):
    """One thing said or done in a thread; entries are only ever added."""

    kind: EntryKind
    at: datetime
    author: str | None = None
    message: str | None = None  # timestamp of the message that it is, or is about
    text: str = ""
    fact: str | None = None  # of a question asked or answered
    value: str | None = None  # the answer, the feedback, the fix that worked
    files: tuple[Attachment, ...] = ()
    order: int = 0  # in which the journal took it; breaks ties of `at`


class Said(Frozen):
    """A message of the case as it stands now."""

    message: str
    author: str | None
    body: str
    attached: tuple[str, ...] = ()  # what its files hold
    answers: Mapping[str, str] = {}  # to what we asked before, in words

    @property
    def text(self) -> str:
        """The message with its files."""
        return "\n\n".join(part for part in (self.body, *self.attached) if part)


State = Literal["open", "resolved", "not-ours", "withdrawn"]


class Case(Frozen):
    """A thread as far as its entries tell."""

    said: tuple[Said, ...] = ()
    pressed: Mapping[str, str] = {}  # answered by a button
    declined: frozenset[str] = frozenset()  # "I don't know": not asked again
    asked: frozenset[str] = frozenset()
    files: tuple[Attachment, ...] = ()  # carried by a message, not read yet
    unreadable: Mapping[str, str] = {}  # why we cannot read a file, by its id
    is_mentioned: bool = False
    is_muted: bool = False
    is_escalated: bool = False
    is_drawn: bool = False  # the budget is wanted as a picture too
    is_edited: bool = False
    before_edit: tuple[Said, ...] = ()  # what was said before the last edit
    state: State = "open"
    opener: str | None = None
    opened_at: datetime | None = None
    resolver: str | None = None
    resolved_at: datetime | None = None
    reopened: int = 0  # times
    updated_at: datetime | None = None  # when a person last said or did something
    answered_at: datetime | None = None  # when we first spoke
    team: str | None = None  # who owns it, where somebody said so
    fix: str | None = None  # the one that worked, where somebody said so
    posted: str | None = None  # timestamp of our reply
    feedback: Mapping[str, str] = {}  # one voice a person
    notices: Mapping[str, str] = {}  # our sentences, by the message they reply to
    is_invited: bool = False

    @property
    def text(self) -> str:
        """The paste and what was added to it later, in the order it was said."""
        return "\n\n".join(said.text for said in self.said if said.text)

    @property
    def facts(self) -> Mapping[str, str]:
        """What a person answered: in words, or by a button, which counts before words."""
        typed = {name: value for said in self.said for name, value in said.answers.items()}
        return {**typed, **self.pressed}

    def has(self, message: str) -> bool:
        """Say whether that message stands in the case."""
        return any(said.message == message for said in self.said)


def fold(entries: Iterable[Entry]) -> Case:
    """Return the case that these entries make, whatever order they were delivered in.

    >>> fold([]).state
    'open'
    """
    case = Case()
    for entry in sorted(entries, key=lambda entry: (entry.at, entry.order)):
        touched = {} if entry.kind in OURS else {"updated_at": entry.at}
        case = case.model_copy(update=_STEPS[entry.kind](case, entry) | touched)
    return case


def _say(case: Case, entry: Entry) -> dict[str, Any]:
    if case.has(message := entry.message or ""):
        return {}
    first = {} if case.opened_at else {"opener": entry.author, "opened_at": entry.at}
    answers = typed_answers(case.asked - case.facts.keys(), entry.text)
    said = Said(message=message, author=entry.author, body=entry.text, answers=answers)
    return {"said": (*case.said, said), "files": (*case.files, *entry.files), **first}


def _take_file(case: Case, entry: Entry) -> dict[str, Any]:
    waiting = {"files": tuple(file for file in case.files if file.id != entry.value)}
    if entry.kind is EntryKind.UNREADABLE:
        return {**waiting, "unreadable": {**case.unreadable, entry.value or "": entry.text}}
    return {**waiting, "said": _change(case, entry, lambda said: {"attached": (*said.attached, entry.text)})}


def _edit(case: Case, entry: Entry) -> dict[str, Any]:
    if not case.has(entry.message or ""):
        return {}
    said = _change(case, entry, lambda said: {"body": entry.text, "answers": _again(case, said, entry.text)})
    return {"said": said, "is_edited": True, "before_edit": case.said}


def _again(case: Case, said: Said, text: str) -> Mapping[str, str]:
    """Return what an edited message answers: what it did before, or what nobody else has."""
    return typed_answers(case.asked - (case.facts.keys() - said.answers.keys()), text)


def _delete(case: Case, entry: Entry) -> dict[str, Any]:
    left = tuple(said for said in case.said if said.message != entry.message)
    withdrawn = bool(case.said) and case.said[0].message == entry.message
    return {"said": left, **({"state": "withdrawn"} if withdrawn else {})}


def _change(case: Case, entry: Entry, change: Callable[[Said], dict[str, Any]]) -> tuple[Said, ...]:
    return tuple(said.model_copy(update=change(said)) if said.message == entry.message else said for said in case.said)


def _answer(case: Case, entry: Entry) -> dict[str, Any]:
    if entry.value is None:
        return {"declined": case.declined | {entry.fact}}
    return {"pressed": {**case.pressed, entry.fact: entry.value}, "declined": case.declined - {entry.fact}}


def _end(state: State, by: str | None = None, at: datetime | None = None, fix: str | None = None) -> dict[str, Any]:
    return {"state": state, "resolver": by, "resolved_at": at, "fix": fix}


def _resolve(case: Case, entry: Entry) -> dict[str, Any]:
    """End a case; what is over already only learns what did it, and a press that came too late ends nothing anew."""
    if case.state == "resolved":
        return {"fix": entry.value} if entry.value else {}
    return _end("resolved", entry.author, entry.at, entry.value) if case.state == "open" else {}


def _reopen(case: Case, _: Entry) -> dict[str, Any]:
    if case.state in {"open", "withdrawn"}:
        return {}
    return _end("open") | {"reopened": case.reopened + 1}


_STEPS: Mapping[EntryKind, Callable[[Case, Entry], dict[str, Any]]] = {
    EntryKind.PASTE: _say,
    EntryKind.REPLY: _say,
    EntryKind.FILE: _take_file,
    EntryKind.UNREADABLE: _take_file,
    EntryKind.MENTIONED: lambda case, _entry: {
        "is_mentioned": True,
        "is_muted": False,
        **({"state": "open"} if case.state == "not-ours" else {}),
    },
    EntryKind.INVITED: lambda _case, _entry: {"is_invited": True},
    EntryKind.ASKED: lambda case, entry: {"asked": case.asked | {entry.fact}},
    EntryKind.ANSWER: _answer,
    EntryKind.EDITED: _edit,
    EntryKind.DELETED: _delete,
    EntryKind.POSTED: lambda case, entry: {"posted": entry.message, "answered_at": case.answered_at or entry.at},
    EntryKind.RESOLVED: _resolve,
    EntryKind.REOPENED: _reopen,
    EntryKind.OWNED: lambda _case, entry: {"team": entry.value},
    EntryKind.NOT_OURS: lambda case, _entry: {} if case.state == "withdrawn" else {"state": "not-ours"},
    EntryKind.MUTED: lambda _case, _entry: {"is_muted": True},
    EntryKind.UNMUTED: lambda _case, _entry: {"is_muted": False},
    EntryKind.ESCALATED: lambda _case, _entry: {"is_escalated": True},
    EntryKind.DRAWN: lambda _case, _entry: {"is_drawn": True},
    EntryKind.FEEDBACK: lambda case, entry: {"feedback": {**case.feedback, entry.author or "": entry.value or ""}},
    EntryKind.NOTICE: lambda case, entry: {"notices": {**case.notices, entry.message or "": entry.text}},
}
