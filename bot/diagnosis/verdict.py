"""What diagnosis says, before any words are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from bot.catalog.problem import Cause, Fix, Problem, Step, Wording
    from bot.deployment import Deployment
    from bot.evidence import Evidence, Line
    from bot.sizing.terms import Budget, Refusal


class Match(NamedTuple):
    """A problem whose wording stands in the paste."""

    problem: Problem
    wording: Wording | None
    line: Line | None
    is_exact: bool
    similarity: float = 100.0
    is_loose: bool = False  # a person's words that are common, or stand in several sentences


class CauseVerdict(NamedTuple):
    """A cause after its condition was read."""

    cause: Cause
    verdict: Literal["stands", "falls", "waits"]
    waits_for: tuple[str, ...] = ()
    because: str = ""
    lines: tuple[Line, ...] = ()  # the user's lines that made it so


class Prescription(NamedTuple):
    """A fix that survived: sized again and found to fit, or one that touches no budget."""

    fix: Fix
    title: str
    patch: dict[str, Any]  # None: the setting is dropped
    deployment: Deployment | None = None
    command: str | None = None
    budget: Budget | None = None
    steps: tuple[tuple[str, str, str | None], ...] = ()  # (command, how to read it, risk)
    costs: str = ""
    risk: str | None = None


class Rejected(NamedTuple):
    """A fix that was tried and does not help, with what it would have given."""

    title: str
    because: str
    budget: Budget | None = None
    lacks: Literal["context", "tokens"] | None = None
    """`context`: shorter than the requests that are served. `tokens`: less KV cache than one request takes."""


class Question(NamedTuple):
    """A fact worth asking: two plausible answers give two different verdicts."""

    name: str  # the fact
    text: str
    choices: tuple[str, ...] = ()
    guess: str | None = None
    why: str = ""
    how_to_find_out: str = ""


class Told(NamedTuple):
    """A problem's sentences with this case's figures filled in; a sentence that lacks a figure is left out."""

    title: str
    summary: str = ""
    diagnostics: tuple[Step, ...] = ()
    prevention: tuple[str, ...] = ()
    faq: tuple[tuple[str, str], ...] = ()  # (question, answer)
    misleading: tuple[tuple[str, str], ...] = ()  # (advice, why it does not help)
    architecture: str = ""


class Seen(NamedTuple):
    """Another problem in the paste that the first one does not explain."""

    problem: str
    title: str
    line: int


class Contradiction(NamedTuple):
    """What cannot all be true, in one sentence: two facts, a figure of the log, or the failure itself against the budget.

    `failure`: the budget did not expect it. `budget`: it excludes it.
    """

    kind: Literal["facts", "figure", "failure", "budget"]
    text: str


class Diagnosis(NamedTuple):
    """The whole verdict on one case."""

    evidence: Evidence
    deployment: Deployment
    match: Literal["exact", "alike", "none"] = "none"
    problem: Problem | None = None
    told: Told | None = None
    matches: tuple[Match, ...] = ()
    also: tuple[str, ...] = ()  # ids of the other problems in the paste
    also_seen: tuple[Seen, ...] = ()  # those of them that are problems of their own
    causes: tuple[CauseVerdict, ...] = ()
    cause: CauseVerdict | None = None  # the one that stands, or the first of several
    budget: Budget | None = None
    refusals: tuple[Refusal, ...] = ()
    prescriptions: tuple[Prescription, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    questions: tuple[Question, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    remarks: tuple[str, ...] = ()  # what of the input says nothing to us, and what it was taken for; one sentence each
    fingerprint: str | None = None  # of the problem and cause, or of an error nobody knows yet
    confidence: Literal["high", "medium", "low"] = "low"
    is_for_us: bool = False  # something in the paste concerns vLLM; otherwise silence
