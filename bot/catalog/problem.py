"""One problem of the field: its wordings, causes, fixes and the pastes that prove them. One YAML file each."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from bot.catalog.versions import Versions
from bot.frozen import Frozen


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, (str, dict)) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]
"""One text or several; of several the first is said whose `{facts}` are all known."""

Title = Annotated[str, Field(pattern=r"\S", max_length=200)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]


def _refuse_no_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from None


class Wording(Frozen):
    """A pattern in the regular subset that hyperscan and `re` share: no look-around, no back-reference.

    Named groups are fact names; their text becomes that fact. Matched per line, case-insensitively, with
    whitespace in the pattern standing for any run of whitespace.
    """

    id: Id
    pattern: str
    versions: Versions = Versions()
    kind: Literal["message", "description"] = "message"
    """`message`: vLLM's or the driver's own words. `description`: a person's words; weighed with care."""
    scope: Literal["line", "paste"] = "line"
    """`paste`: the parts, split at ` … `, may stand on different lines in this order, within 40 lines."""
    weight: int = Field(default=10, ge=1, le=100)
    """How specific it is: of two problems of one role whose wordings match, the heavier one stands first."""


class Test(Frozen):
    """One claim about one fact or named amount."""

    name: str
    op: Literal[
        "is", "is_not", "in", "not_in", "above", "below", "at_least", "at_most", "known", "since", "until", "matches"
    ]
    value: Any = None

    @model_validator(mode="after")
    def _has_a_pattern(self) -> Test:
        if self.op == "matches":
            _refuse_no_pattern(str(self.value))
        return self


class Condition(Frozen):
    """A tree of tests, read in three-valued logic: an unknown fact makes a test neither true nor false.

    In YAML a list means "all of"; a mapping is `{all: […]}`, `{any: […]}`, `{none: […]}`, `{wording: ID}`,
    `{problem: ID}` (that problem's wording also matched) or `{FACT: {OP: VALUE}}`; `{FACT: VALUE}` is short for `is`.
    VALUE is a literal, an amount such as "1 GiB", or the name of another fact or amount.
    """

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    none: tuple[Condition, ...] = ()
    test: Test | None = None
    wording: str | None = None
    problem: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, raw: Any) -> Any:
        if isinstance(raw, (list, tuple)):
            return {"all": raw}
        if not isinstance(raw, dict) or raw.keys() <= {"all", "any", "none", "test", "wording", "problem"}:
            return raw
        tests = [{"test": {"name": name, **_operation(claim)}} for name, claim in raw.items()]
        return tests[0] if len(tests) == 1 else {"all": tests}


def _operation(claim: Any) -> dict[str, Any]:
    if not isinstance(claim, dict):
        return {"op": "is", "value": claim}
    if len(claim) != 1:
        raise ValueError(f"a test has one operation, found {sorted(claim)}")
    ((operation, value),) = claim.items()
    return {"op": operation, "value": value}


class Cause(Frozen):
    """Why it happened. It stands, falls, or waits for facts, by its condition."""

    id: Id
    title: Title
    when: Condition = Condition()
    because: Texts
    fixes: tuple[Id, ...] = ()
    rank: int = Field(default=50, ge=0, le=100)  # of several that stand, the lower is said first

    @property
    def is_certain(self) -> bool:
        """Whether it stands wherever its problem is found: nothing has to hold for it."""
        return self.when == Condition()


class Step(Frozen):
    """A command for a person to run, and how to read what it prints. We never run it."""

    run: str
    read: Texts
    where: str | None = None  # "on the host, not in the container"
    risk: str | None = None


class Fix(Frozen):
    """A change to the deployment (`set`), or steps outside it.

    A value in `set` is a literal or the name of an amount (`longest_context`, `utilization_that_fits` …).
    A fix with `set` is offered only if the patched deployment, sized again, fits.
    """

    id: Id
    title: Texts
    set: dict[str, Any] = {}
    unset: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    when: Condition = Condition()
    versions: Versions = Versions()
    costs: Texts = ()
    risk: str | None = None
    is_checked_by_sizing: bool = True  # False where no budget is at stake (`--dtype half`)
    rank: int = Field(default=50, ge=0, le=100)


class Misleading(Frozen):
    """Advice that people meet elsewhere, and why it does not help here."""

    says: str
    but: str


class Faq(Frozen):
    """A question people ask, and the answer."""

    ask: str
    answer: Texts


class Reference(Frozen):
    """Where it was learnt."""

    title: Title
    url: str | None = None


class Sample(Frozen):
    """A paste that proves a wording, and with `cause` a cause."""

    text: str
    wording: Id
    facts: dict[str, Any] = {}  # as if answered
    cause: Id | None = None  # the cause that must stand
    waits: tuple[Id, ...] = ()  # causes that must wait for facts


class CounterSample(Frozen):
    """A look-alike that must not match this problem."""

    text: str
    why_not: str
    instead: Id | None = None  # the problem that it is, when it is one


class Problem(Frozen):
    """One problem; its id is the file's stem."""

    id: Id
    title: Title
    summary: Texts
    role: Literal["cause", "consequence", "noise", "foreign"] = "cause"
    """`consequence` only reports another failure; `noise` looks alarming and means nothing; `foreign` is not vLLM's."""
    stage: Literal["install", "load", "startup", "serving", "request", "any"] = "any"
    specificity: int = Field(default=50, ge=0, le=100)  # of several problems of one role, the higher stands first
    wordings: tuple[Wording, ...]
    causes: tuple[Cause, ...] = ()
    fixes: tuple[Fix, ...] = ()
    diagnostics: tuple[Step, ...] = ()
    questions: tuple[str, ...] = ()  # facts worth asking beyond those that causes wait for; `log`: the lines above
    outranks: tuple[Id, ...] = ()  # problems that are only its effects when both match
    prevention: Texts = ()
    faq: tuple[Faq, ...] = ()
    misleading: tuple[Misleading, ...] = ()
    architecture: Texts = ()  # when it becomes a decision about hardware or layout
    references: tuple[Reference, ...] = ()
    samples: tuple[Sample, ...] = ()
    counter_samples: tuple[CounterSample, ...] = ()
    status: Literal["active", "retired"] = "active"
