"""Whether everything that a problem file refers to exists: facts, amounts, flags, fixes, wordings, problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pydantic import TypeAdapter, ValidationError

from bot.catalog.problem import Condition, Fix, Problem, Step, Test
from bot.deployment import Deployment
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.asking import LOG
from bot.diagnosis.causes import PLACEHOLDER
from bot.diagnosis.conditions import ORDERS
from bot.fact_values import fact_value
from bot.facts import FACTS

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge

_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
_OURS = re.compile(r"(?:^|\s)(?:vllm|python\S* -m vllm\S*)\s")
_CODE = re.compile(r"`[^`\n]*`")
_BRACED = re.compile(r"\{[^{}\s\"'][^{}\n]{0,40}\}?|[A-Za-z_]\w*\}")
_MAY_BE_NEGATIVE = frozenset({"kv_available", "kv_room", "beside_allowance", "cudagraph", "unseen_memory", "exit_code"})
_VERSION_OPERATIONS = frozenset({"since", "until"})


class Complaint(NamedTuple):
    """One thing that is wrong, and where."""

    field: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}"


Complaints: TypeAlias = Iterator[Complaint]


def names(problem: Problem, knowledge: Knowledge) -> Complaints:
    """Yield a complaint for each fact, amount, flag, fix, cause, wording or problem that does not exist."""
    yield from unknown("questions", problem.questions, {*FACTS, LOG}, "fact")
    yield from unknown("outranks", problem.outranks, knowledge.problems, "problem")
    fixes = {fix.id for fix in problem.fixes}
    for cause in problem.causes:
        where = f"causes.{cause.id}"
        yield from unknown(f"{where}.fixes", cause.fixes, fixes, "fix of this file")
        yield from _condition_names(f"{where}.when", cause.when, problem, knowledge)
    for fix in problem.fixes:
        yield from _condition_names(f"fixes.{fix.id}.when", fix.when, problem, knowledge)
        yield from _patch(fix)
    commands = {step.run for _, step in _steps(problem)}  # a shell has braces of its own
    for where, text in _texts(problem):
        yield from unknown(where, PLACEHOLDER.findall(text), {*FACTS, *AMOUNTS}, "fact or amount")
        yield from _stray_braces(where, text) if text not in commands else ()
    for where, text in _vllm_texts(problem):
        wanted = (flag for flag in _FLAG.findall(text) if knowledge.flags.by_name(flag) is None)
        yield from (Complaint(where, f"vLLM has no flag {flag} that knowledge/flags knows") for flag in wanted)


def unknown(where: str, wanted: Iterable[str], known: Iterable[str], kind: str) -> Complaints:
    """Yield a complaint for each of `wanted` that is not among the known."""
    there = set(known)
    remedy = "; knowledge/README.md lists them" if "fact" in kind else ""
    yield from (Complaint(where, f"{name!r} is no {kind}{remedy}") for name in wanted if name not in there)


def _stray_braces(where: str, text: str) -> Complaints:
    """Yield a complaint for what looks like a fact in braces and would be said as it stands."""
    stray = _BRACED.search(PLACEHOLDER.sub("", _CODE.sub("", text)))
    if stray:
        yield Complaint(where, f"{stray[0]!r} names no fact in braces; write {{fact}}, or code between backticks")


def _condition_names(where: str, condition: Condition, problem: Problem, knowledge: Knowledge) -> Complaints:
    for part in (*condition.all, *condition.any, *condition.none):
        yield from _condition_names(where, part, problem, knowledge)
    if condition.wording:
        yield from unknown(where, [condition.wording], (wording.id for wording in problem.wordings), "wording here")
    if condition.problem:
        yield from unknown(where, [condition.problem], knowledge.problems, "problem")
    if condition.test:
        yield from _test_names(where, condition.test)


def _test_names(where: str, test: Test) -> Complaints:
    yield from unknown(where, [test.name], {*FACTS, *AMOUNTS}, "fact or amount")
    if test.op in _VERSION_OPERATIONS and FACTS[test.name].type != "version":
        yield Complaint(where, f"{test.op} compares versions; {test.name} is none, say at_least or at_most")
    if test.op in ORDERS and not _names_a_value(test.value):
        yield from _literal(where, test.name, test.value) if test.name in FACTS else ()
        yield from _negative(where, test)


def _negative(where: str, test: Test) -> Complaints:
    """Yield a complaint where a figure that is never below zero is compared with one that is."""
    if test.name not in _MAY_BE_NEGATIVE and str(test.value).strip().startswith("-"):
        yield Complaint(where, f"{test.name} is never below 0, so {test.op} {test.value} decides nothing")


def _names_a_value(value: Any) -> bool:
    return isinstance(value, str) and (value in FACTS or value in AMOUNTS)


def _literal(where: str, name: str, value: Any) -> Complaints:
    try:
        fact_value(name, value)
    except (ValueError, TypeError) as error:
        yield Complaint(where, f"{value!r} is no value of {name}: {error}")


def _patch(fix: Fix) -> Complaints:
    where = f"fixes.{fix.id}.set"
    yield from unknown(where, [*fix.set, *fix.unset], Deployment.model_fields, "field of a deployment")
    for name, value in fix.set.items():
        if name in Deployment.model_fields and not _names_a_value(value):
            yield from _field_value(where, name, value)
    if not fix.set and not fix.unset and not fix.steps:
        yield Complaint(f"fixes.{fix.id}", "changes nothing; give it 'set' or 'steps'")


def _field_value(where: str, name: str, value: Any) -> Complaints:
    try:
        TypeAdapter(Deployment.model_fields[name].rebuild_annotation()).validate_python(value)
    except ValidationError:
        yield Complaint(where, f"{value!r} is neither a value of {name} nor the name of a fact or an amount")


def _texts(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield every text that may hold placeholders, with its field."""
    groups: dict[str, Iterable[str]] = {
        "summary": problem.summary,
        "prevention": problem.prevention,
        "architecture": problem.architecture,
        "faq": [text for faq in problem.faq for text in faq.answer],
        "misleading": [item.but for item in problem.misleading],
        **{f"causes.{cause.id}.because": cause.because for cause in problem.causes},
        **{f"causes.{cause.id}.title": [cause.title] for cause in problem.causes},
        **{f"fixes.{fix.id}": [*fix.title, *fix.costs, fix.risk or ""] for fix in problem.fixes},
        **{f"{where}.{step.run}": [step.run, *step.read, step.risk or ""] for where, step in _steps(problem)},
    }
    return ((where, text) for where, texts in groups.items() for text in texts)


def _steps(problem: Problem) -> Iterator[tuple[str, Step]]:
    yield from (("diagnostics", step) for step in problem.diagnostics)
    yield from ((f"fixes.{fix.id}", step) for fix in problem.fixes for step in fix.steps)


def _vllm_texts(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield the texts whose flags are vLLM's: its own command lines, up to a pipe."""
    commands = ((where, step.run) for where, step in _steps(problem) if _OURS.search(step.run))
    return ((where, run.partition("|")[0]) for where, run in commands)
