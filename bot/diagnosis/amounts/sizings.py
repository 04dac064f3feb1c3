"""What sizing says about a case, as values: what it lacks is a list of facts, never an exception."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from bot.deployment import Deployment
from bot.diagnosis.measured import LAYOUT, changed_settings, still_measured
from bot.diagnosis.situation import Situation
from bot.sizing.checks.refusals import refuse
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_memory import PRINTED
from bot.sizing.plain import with_rest
from bot.sizing.size import UnknownFactsError, size
from bot.sizing.terms import Measured

_T = TypeVar("_T")

_Limit = Callable[[Deployment, Measured | None], _T]


def size_case(situation: Situation) -> Situation:
    """Return the situation with its budget, or with what stands in the way of one."""
    measured = situation.measured
    is_loaded = (measured.weights or measured.consumed or measured.kv_available) is not None
    refusals = refuse(situation.deployment, is_loaded=is_loaded)
    try:
        budget = size(situation.deployment, measured)
    except UnknownFactsError as error:
        return replace(situation, budget=None, lacking=error.names, refusals=refusals)
    except (ValueError, ArithmeticError):
        # A deployment that vLLM refuses (no heads divide, a context of zero) has no budget.
        return replace(situation, budget=None, lacking=(), refusals=refusals)
    return replace(situation, budget=budget, lacking=(), refusals=refusals)


def resize(situation: Situation, after: Deployment) -> Situation:
    """Return the situation of a changed deployment: what was measured before counts as far as it still holds."""
    measured = _measured_after(situation, after)
    return size_case(replace(situation, deployment=after, measured=measured, is_changed=True))


def _measured_after(situation: Situation, after: Deployment) -> Measured:
    measured, told, budget = situation.measured, situation.deployment, situation.budget
    if budget is None:
        return still_measured(measured, told, told, after)
    kept = still_measured(measured, told, budget.deployment, after, budget.total)
    if not budget.kv_measured or any(getattr(kept, name) is not None for name in PRINTED if name != "kv_available"):
        return kept
    held = measured.model_copy(update={"kv_available": budget.kv_available})  # the memory behind the tokens of the log
    kept = still_measured(held, told, budget.deployment, after, budget.total)
    if kept.kv_available is not None or LAYOUT & changed_settings(told, budget.deployment, after):
        return kept
    try:
        return with_rest(kept, int(budget.kv_available), told)  # a change moves the cache from where it was
    except (ValueError, ArithmeticError):  # sized by its tokens alone
        return kept


def default_sequences(deployment: Deployment) -> int | None:
    """Return max_num_seqs as vLLM sets it when nobody does."""
    return with_defaults(deployment.with_(max_num_seqs=None))[0].max_num_seqs


def limit(find: _Limit[_T], situation: Situation, **facts: object) -> _T | None:
    """Return one of sizing's limits for a case, with `facts` changed; None where it cannot be worked out."""
    after = situation.deployment.with_(**facts) if facts else situation.deployment
    measured = _measured_after(situation, after) if facts else situation.measured
    try:
        return find(after, measured) or None
    except (ValueError, ArithmeticError):
        return None
