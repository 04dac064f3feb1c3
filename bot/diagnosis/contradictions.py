"""Where the paste contradicts itself, or what we compute: each in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from bot.diagnosis.amounts.memory import leaves_room
from bot.diagnosis.asking import LOG, WHAT_RAN
from bot.diagnosis.causes import first_standing, show
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import CauseVerdict, Contradiction, Question
from bot.evidence import Evidence
from bot.facts import FACTS, Conflict
from bot.sizing.size import UnknownFactsError, size
from bot.sizing.terms import Budget
from bot.units import Bytes

if TYPE_CHECKING:
    from bot.catalog.problem import Problem

LONGEST_MESSAGE = 160
"""Characters of a foretold message that are said."""

ACCOUNTED = frozenset({"weights-too-big-for-gpu", "kv-cache-no-memory", "kv-cache-too-small-for-max-len"})
"""Failures that a budget shows or excludes; peaks and what others hold it knows only roughly, or not at all."""

OF_MEMORY = ACCOUNTED | {
    "free-memory-below-utilization",
    "kv-cache-set-too-large",
    "oom-cuda-graph-capture",
    "oom-multimodal",
    "oom-profile-run",
    "oom-sampler-warmup",
}
"""Failures of a check that a budget foretells; of what vLLM refuses by rule it says nothing."""

ROOM_TO_SPARE = Bytes.gib(4)
"""What the context, a sampler's warm-up and other work beside the graphs never need together."""

TELLING_GAP = 0.15
"""KV memory further than this share of the card from the computed figure is more than an estimate's error."""


def contradictions_in(problem: Problem | None, situation: Situation) -> tuple[Contradiction, ...]:
    """Return what cannot all be true."""
    kind: Literal["failure", "budget"] = "budget" if _is_excluded(problem, situation) else "failure"
    failure = (Contradiction(kind=kind, text=text) for text in _prediction(problem, situation))
    figures = [*_memory(situation), *_estimate(problem, situation)]
    figure = (Contradiction(kind="figure", text=text) for text in figures)
    return (*said_in_two_ways(situation.evidence), *failure, *figure)


def is_unexplained(problem: Problem, causes: Sequence[CauseVerdict], situation: Situation) -> bool:
    """Return whether the budget leaves no room for the failure, and no cause that the paste shows explains it."""
    standing = first_standing(causes)
    return _is_excluded(problem, situation) and (standing is None or standing.cause.is_certain)


def ask_what_ran() -> Question:
    """Return the question for what settles it, where the budget of what was pasted excludes the failure."""
    text, choices, why, how_to_find_out, _ = WHAT_RAN
    return Question(name=LOG, text=text, choices=choices, why=why, how_to_find_out=how_to_find_out)


def _is_excluded(problem: Problem | None, situation: Situation) -> bool:
    return problem is not None and problem.id in ACCOUNTED and bool(leaves_room(situation))


def said_in_two_ways(evidence: Evidence) -> tuple[Contradiction, ...]:
    """Return each fact that the paste states in two ways."""
    told = dict.fromkeys(map(_say_conflict, evidence.conflicts))
    return tuple(Contradiction(kind="facts", text=text) for text in told)


def _say_conflict(conflict: Conflict) -> str:
    label = FACTS[conflict.name].label if conflict.name in FACTS else conflict.name
    kept, other = (_where(fact.value, fact.line) for fact in (conflict.kept, conflict.other))
    return f"Two values for {label}: {kept}, which counts here, and {other}."


def _where(value: object, line: int | None) -> str:
    return f"{show(value)} (line {line})" if line else show(value)


def _prediction(problem: Problem | None, situation: Situation) -> Iterator[str]:
    """Yield a word where the budget says that this start-up should not have failed so."""
    budget = situation.budget
    if problem is None or budget is None or problem.id not in OF_MEMORY or budget.is_within_margin:
        return
    failed = budget.failed_check
    if failed is None and budget.fits and problem.id in ACCOUNTED:
        yield (
            f"That contradicts my budget, in which {show(budget.kv_available)} are left for the KV cache. So something "
            "else holds memory on the card, or another model, version or setting ran than the paste shows."
        )
    elif failed is None and budget.fits and (not budget.kv_measured or _has_room_beside(budget)):
        yield (
            "By my budget this deployment fits, so something that the paste does not show takes memory, "
            "or a setting differs."
        )
    elif failed and failed.certain and failed.problem != problem.id and failed.problem not in situation.problems:
        yield f"By my budget start-up would end with another message: {_shorten(failed.message)}"


def _has_room_beside(budget: Budget) -> bool:
    """Return whether the card has room for the graphs beside a cache that was printed, which no check is made with."""
    held = sum(term.amount for term in budget.terms if term.name in {"weights", "non_torch", "other_processes"})
    graphs = sum(term.high for term in budget.terms if term.name == "cuda_graphs")
    return held + graphs + budget.kv_available < budget.total - ROOM_TO_SPARE


def _shorten(message: str) -> str:
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE].rsplit(' ', 1)[0]} …"


def _memory(situation: Situation) -> Iterator[str]:
    """Yield a word where the logged KV memory is far from the computed one."""
    logged = situation.measured.kv_available
    if logged is None or situation.budget is None or situation.is_changed:
        return
    try:
        computed = size(situation.deployment).kv_available
    except (UnknownFactsError, ValueError, ArithmeticError):
        return
    gap = logged - computed
    if abs(gap) > situation.budget.total * TELLING_GAP:
        more = "more" if gap > 0 else "less"
        yield f"vLLM had {show(abs(gap))} {more} for the KV cache than these settings give ({show(computed)})."


def _estimate(problem: Problem | None, situation: Situation) -> Iterator[str]:
    """Yield a word where the estimate is within its error of the failure, and yet on the other side of it."""
    budget = situation.budget
    if problem is None or budget is None or budget.kv_measured or _is_excluded(problem, situation):
        return
    denies = {"kv-cache-no-memory": budget.kv_available > 0, "kv-cache-too-small-for-max-len": budget.fits}
    if denies.get(problem.id):
        between = f"{show(budget.kv_low) if budget.kv_low > 0 else 'nothing'} to {show(budget.kv_high)}"
        yield (
            f"My estimate leaves {show(budget.kv_available)} for the KV cache ({between}), and vLLM found less: of the "
            "fixes take one with room to spare."
        )
