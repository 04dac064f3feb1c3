"""What is shown on demand: all causes, diagnostics, prevention, questions people ask, sources, assumptions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bot.diagnosis.verdict import CauseVerdict, Diagnosis
from bot.facts import FACTS
from bot.reply.document import Bullets, Command, Details, Part, Prose, Span
from bot.reply.say_fixes import choose, longest_request, say_fix
from bot.reply.spans import prose
from bot.sizing.terms import Budget, Term

if TYPE_CHECKING:
    from bot.catalog.problem import Problem, Step


def say_details(diagnosis: Diagnosis) -> list[Part]:
    """Return the sections that a reader may open; empty ones are left out."""
    problem, told = diagnosis.problem, diagnosis.told
    if problem is None or told is None:
        return []
    sections = [
        (
            "More ways",
            tuple(
                part
                for fix in choose(diagnosis.prescriptions, longest_request(diagnosis))[1]
                for part in say_fix(fix, longest_request(diagnosis))
            ),
        ),
        ("All causes considered", _list(_cause(verdict) for verdict in diagnosis.causes)),
        ("Check it yourself", tuple(_step(step) for step in told.diagnostics)),
        ("Advice that does not help here", _list(prose(but, f"“{says}”:") for says, but in told.misleading)),
        ("Keep it from coming back", _list(prose(text) for text in told.prevention)),
        ("Questions people ask", _list(prose(answer, asked) for asked, answer in told.faq)),
        ("When it becomes an architecture decision", _list([prose(told.architecture)] if told.architecture else [])),
        ("What the numbers rest on", say_sources(diagnosis.budget) if diagnosis.budget else ()),
        ("References", _list(_reference(problem))),
    ]
    return [Details(title=title, parts=parts) for title, parts in sections if parts]


def _list(items: Iterable[Prose]) -> tuple[Part, ...]:
    said = tuple(items)
    return (Bullets(items=said),) if said else ()


def _cause(verdict: CauseVerdict) -> Prose:
    said = {"stands": "stands", "falls": "ruled out", "waits": "cannot say yet"}[verdict.verdict]
    facts = ", ".join(FACTS[name].label if name in FACTS else name.replace("_", " ") for name in verdict.waits_for)
    because = f" {verdict.because}" if verdict.verdict == "stands" and verdict.because else ""
    why = f" Needs: {facts}." if facts else because
    return prose(f"{said}.{why}", f"{verdict.cause.title}:")


def _step(step: Step) -> Command:
    return Command(title=step.where or "", text=step.run, gives=step.read[0], risk=step.risk or "")


def _reference(problem: Problem) -> list[Prose]:
    return [
        Prose(spans=(Span(text=item.title, url=item.url),)) if item.url else prose(item.title)
        for item in problem.references
    ]


def say_sources(budget: Budget) -> tuple[Part, ...]:
    """Say where each term of a budget comes from, and what was assumed."""
    terms = [
        prose(" · ".join(filter(None, (*_grounds(term), term.source))), f"{term.name.replace('_', ' ')}:")
        for term in budget.terms
    ]
    return _list([*terms, *_assumptions(budget), *(prose(text) for text in budget.warnings)])


def _grounds(term: Term) -> tuple[str, str, str]:
    """Return how a term was worked out, and what leaves its estimate open."""
    return term.formula, term.because, "" if term.measured else term.doubt


def _assumptions(budget: Budget) -> list[Prose]:
    """Say what was assumed, one line a reason."""
    reasons: dict[str, list[str]] = {}
    for item in budget.assumptions:
        reasons.setdefault(item.because, []).append(f"{item.name} {item.value}")
    return [prose(f"{', '.join(named)}.", f"Assumed, {because}:") for because, named in reasons.items()]
