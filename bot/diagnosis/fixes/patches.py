"""A fix as a patch: the facts it sets, with its named amounts worked out on the deployment as it then is."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from bot.catalog.problem import Fix
from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import resize
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.conditions import value_of
from bot.diagnosis.identify import with_facts
from bot.diagnosis.situation import Situation
from bot.fact_values import fact_value
from bot.facts import FACTS

LOGGED_AMOUNTS: Mapping[str, tuple[str, ...]] = {
    "longest_context": ("estimated_max_len", "kv_tokens"),
    "utilization_that_fits": ("free",),
}
"""Amounts that vLLM itself printed, by the facts they come from: they hold even where nothing can be sized."""


_LAYOUT = frozenset({"tensor_parallel", "pipeline_parallel", "data_parallel"})

# From this length on → steps of so many tokens: what is lost is at most an eighth.
_STEPS = ((32_768, 4_096), (8_192, 1_024), (1_024, 256), (0, 16))


class Patch(NamedTuple):
    """What a fix sets, the amounts it used, and the deployment it leads to."""

    values: Mapping[str, Any]
    used: Mapping[str, Any]  # named amounts, as they were worked out
    after: Deployment
    is_logged: bool = False  # vLLM itself printed every value, so that it holds without a budget


def patch_of(fix: Fix, situation: Situation) -> Patch | None:
    """Return the patch of a fix, or None when one of its values is unknown, or it changes nothing.

    Amounts are worked out in the order in which the fix names them, each on what the ones before it lead to.
    """
    literal = {name: _literal(name, raw) for name, raw in fix.set.items() if raw not in AMOUNTS and raw not in FACTS}
    if None in literal.values():
        return None
    after, used, values = _applied(situation.deployment, literal, fix), {}, dict(literal)
    for name, raw in ((name, raw) for name, raw in fix.set.items() if name not in literal):
        between = situation if after == situation.deployment else resize(situation, after)
        amount = value_of(raw, between).value
        if amount is None or (value := _fitting(name, amount)) is None:
            return None
        values[name] = used[raw] = _at_most_asked(name, value, fix, situation)
        after = _applied(after, {name: values[name]}, fix)
    if _changes_nothing(fix, values, situation):
        return None
    logged = bool(fix.set) and all(_is_logged(raw, situation) for raw in fix.set.values())
    return Patch(values, used, after, is_logged=logged)


def _literal(name: str, raw: Any) -> Any:
    try:
        return fact_value(name, raw) if name in FACTS else None
    except ValueError:
        return None


def _fitting(name: str, amount: Any) -> Any:
    """Return an amount as a value of the fact that it is set to."""
    return round_length(int(amount)) if name == "max_model_len" else _literal(name, amount)


def _at_most_asked(name: str, value: Any, fix: Fix, situation: Situation) -> Any:
    """Return the value; of a fix that makes room, no longer context than was asked for."""
    asked = situation.deployment.max_model_len
    makes_room = len(fix.set) + len(fix.unset) > 1
    return min(asked, value) if name == "max_model_len" and asked and makes_room else value


def round_length(tokens: int) -> int:
    """Return a context length rounded down to what people write.

    >>> round_length(33_808), round_length(5_632), round_length(1_300)
    (32768, 5632, 1280)
    """
    step = next(step for least, step in _STEPS if tokens >= least)
    return tokens // step * step


def _applied(deployment: Deployment, values: Mapping[str, Any], fix: Fix) -> Deployment:
    """Return the deployment with the patch; a new layout needs as many GPUs, a new model its own shape."""
    facts = {**dict.fromkeys(fix.unset), **values}
    if "max_model_len" in values:
        facts.setdefault("auto_max_model_len", None)
    elif values.get("auto_max_model_len"):
        facts["max_model_len"] = None
    if "max_cudagraph_capture_size" in values:  # vLLM refuses both where they differ
        facts.setdefault("cudagraph_capture_sizes", None)
    if "model" in values:
        facts["quantization"] = None
    if deployment.compile_cache == "warm":  # other settings are compiled anew
        facts["compile_cache"] = None
    needed = prod(facts.get(name, getattr(deployment, name)) or 1 for name in _LAYOUT)
    if values.keys() & _LAYOUT and needed > (deployment.gpu_count or 1):
        facts["gpu_count"] = needed
    return with_facts(deployment, facts)


def _changes_nothing(fix: Fix, values: Mapping[str, Any], situation: Situation) -> bool:
    before = situation.budget.deployment if situation.budget else situation.deployment
    is_dropped = any(getattr(situation.deployment, name) is not None for name in fix.unset)
    return not is_dropped and all(getattr(before, name, None) == value for name, value in values.items())


def _is_logged(raw: Any, situation: Situation) -> bool:
    return any(situation.evidence.value(name) is not None for name in LOGGED_AMOUNTS.get(str(raw), ()))
