"""What is wrong with a problem file: its names, its patterns, and whether its own samples bear it out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bot.catalog.load import Knowledge
from bot.catalog.problem import CounterSample, Problem, Sample
from bot.consult import complete
from bot.diagnosis.diagnose import diagnose
from bot.diagnosis.naming import Complaint, Complaints, names, unknown
from bot.diagnosis.verdict import Diagnosis
from bot.diagnosis.wordings.patterns import SHORTEST_LITERAL, required_literals
from bot.diagnosis.wordings.regular import objections
from bot.diagnosis.wordings.scan_hyperscan import IS_AVAILABLE, compile_database
from bot.diagnosis.wordings.search import Scanner
from bot.diagnosis.wordings.unreadable import parts_of
from bot.diagnosis.wordings.unreadable import unreadable as broken
from bot.evidence import merge
from bot.facts import FACTS, Origin
from bot.given import stated
from bot.reading.read import read

FEWEST_COUNTER_SAMPLES = 2

_NARROW_NAME = re.compile(r"""(?:\A|[\s'"`=(])\\w(?:\+|\{\d+,\d*\})[\s'"`,;)]""")
"""A whole word inside a message that is taken for a name by `\\w` alone: `minimax-m2` and `org/m` are names too."""


def prove(problem: Problem, knowledge: Knowledge) -> tuple[Complaint, ...]:
    """Return every complaint about a problem; none when it is proved."""
    return unreadable(problem) or (
        *names(problem, knowledge),
        *patterns(problem),
        *coverage(problem),
        *(complaint for sample in problem.samples for complaint in sample_proof(problem, sample, knowledge)),
        *(complaint for sample in problem.counter_samples for complaint in counter_proof(problem, sample, knowledge)),
    )


def unreadable(problem: Problem) -> tuple[Complaint, ...]:
    """Return a complaint for each pattern that nothing can be matched with; while there is one, no paste is read."""
    wordings = problem.wordings
    return tuple(Complaint(f"wordings.{wordings[at].id}", f"the pattern {fault}") for at, fault in broken(problem))


def patterns(problem: Problem) -> Complaints:
    """Yield a complaint for each wording that cannot be scanned safely."""
    yield from _repeated("wordings", [wording.id for wording in problem.wordings])
    for wording in problem.wordings:
        where = f"wordings.{wording.id}"
        for part in parts_of(wording):
            yield from (Complaint(where, f"the pattern {objection}") for objection in objections(part))
            yield from _compiles(where, part)
        if wording.kind == "message" and not any(map(required_literals, parts_of(wording))):
            yield Complaint(
                where, f"promises no text of {SHORTEST_LITERAL} characters; every line would have to be tried"
            )
        if wording.kind == "message" and _NARROW_NAME.search(wording.pattern):
            yield Complaint(where, r"takes a name by \w alone, but names hold dots and dashes; write [\w./-]{1,80}")
        yield from unknown(where, re.findall(r"\(\?P<(\w+)>", wording.pattern), FACTS, "fact")


def _compiles(where: str, pattern: str) -> Complaints:
    if not IS_AVAILABLE:
        return
    try:
        compile_database((pattern,))
    except Exception as error:  # noqa: BLE001 (hyperscan's own error class is there only where hyperscan is)
        yield Complaint(where, f"hyperscan refuses the pattern: {error}")


def coverage(problem: Problem) -> Complaints:
    """Yield a complaint for each wording or cause without a sample, and for missing look-alikes and sources."""
    shown = {sample.wording for sample in problem.samples}
    stood = {sample.cause for sample in problem.samples}
    unshown = (wording.id for wording in problem.wordings if wording.id not in shown)
    yield from (Complaint(f"wordings.{name}", "has no sample; paste one that it matches") for name in unshown)
    conditional = (cause for cause in problem.causes if not cause.is_certain and cause.id not in stood)
    yield from (
        Complaint(f"causes.{cause.id}", "has no sample in which it stands; paste one with the facts it waits for")
        for cause in conditional
    )
    yield from _repeated("causes", [cause.id for cause in problem.causes])
    yield from _repeated("fixes", [fix.id for fix in problem.fixes])
    used = {name for cause in problem.causes for name in cause.fixes}
    idle = (fix.id for fix in problem.fixes if problem.causes and fix.id not in used)
    yield from (
        Complaint(f"fixes.{name}", "belongs to no cause, so it is never offered; name it in a cause's `fixes`")
        for name in idle
    )
    if len(problem.counter_samples) < FEWEST_COUNTER_SAMPLES:
        yield Complaint("counter_samples", f"needs at least {FEWEST_COUNTER_SAMPLES} look-alikes that must not match")
    if not problem.references:
        yield Complaint("references", "says nowhere where this was learnt; name a source, `- title: …`")


def _repeated(where: str, ids: list[str]) -> Complaints:
    twice = sorted({name for name in ids if ids.count(name) > 1})
    yield from (Complaint(where, f"{name!r} stands twice") for name in twice)


def decide(text: str, facts: dict[str, Any], knowledge: Knowledge) -> Diagnosis:
    """Return the diagnosis of a sample, with `facts` counting as answers."""
    answered, _ = stated(facts, Origin.ANSWERED)
    whole = merge(read(text), answered)
    return diagnose(whole, complete(whole), knowledge)


def sample_proof(problem: Problem, sample: Sample, knowledge: Knowledge) -> Complaints:
    """Yield a complaint for each claim of a sample that the diagnosis does not bear out."""
    where = f"samples[{problem.samples.index(sample)}]"
    hits = {hit.wording.id for hit in Scanner((problem,)).scan(read(sample.text).lines)}
    if sample.wording not in hits:
        yield Complaint(where, f"is not matched by {sample.wording}, but by {_list(hits)}")
    diagnosis = decide(sample.text, sample.facts, knowledge)
    first = diagnosis.problem.id if diagnosis.problem else "nothing"
    if first != problem.id:
        yield Complaint(where, f"is taken for {first}")
        return
    verdicts = {verdict.cause.id: verdict for verdict in diagnosis.causes}
    for cause, wanted in ((sample.cause, "stands"), *((waiting, "waits") for waiting in sample.waits)):
        found = verdicts.get(cause) if cause else None
        if cause and (found is None or found.verdict != wanted):
            lacking = f" for {_list(found.waits_for)}" if found and found.waits_for else ""
            verdict = found.verdict if found else "is missing"
            yield Complaint(where, f"{cause} should have the verdict {wanted!r}, but {verdict}{lacking}")


def counter_proof(problem: Problem, sample: CounterSample, knowledge: Knowledge) -> Complaints:
    """Yield a complaint when a look-alike is taken for this problem, or not for what it is."""
    where = f"counter_samples[{problem.counter_samples.index(sample)}]"
    diagnosis = decide(sample.text, {}, knowledge)
    first = diagnosis.problem.id if diagnosis.problem else None
    yields = diagnosis.problem is not None and problem.id in diagnosis.problem.outranks
    if not yields and problem.id in {match.problem.id for match in diagnosis.matches if match.is_exact}:
        yield Complaint(where, "matches this problem")
    if sample.instead and first != sample.instead:
        yield Complaint(where, f"should be {sample.instead}, but is taken for {first or 'nothing'}")


def _list(items: Iterable[str]) -> str:
    return ", ".join(sorted(items)) or "nothing"
