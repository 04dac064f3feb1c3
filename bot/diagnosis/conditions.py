"""Conditions over facts and named amounts, in three-valued logic: what is unknown is neither true nor false."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from packaging.version import Version

from bot.deployment import read_version
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.situation import Situation
from bot.evidence import Line
from bot.fact_values import fact_value
from bot.facts import FACTS
from bot.units import Bytes

if TYPE_CHECKING:
    from bot.catalog.problem import Condition, Test


class Weighed(NamedTuple):
    """Whether a condition holds; None when it waits for facts."""

    truth: bool | None
    waits_for: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()


class Known(NamedTuple):
    """A value with the lines it came from, or the facts it waits for."""

    value: Any
    waits_for: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()


def weigh(condition: Condition, situation: Situation) -> Weighed:
    """Return whether `condition` holds in `situation`; an empty condition does."""
    parts = [_all(weigh(part, situation) for part in condition.all)]
    if condition.any:
        parts.append(_any(weigh(part, situation) for part in condition.any))
    if condition.none:
        parts.append(negate(_any(weigh(part, situation) for part in condition.none)))
    if condition.test:
        parts.append(_weigh_test(condition.test, situation))
    if condition.wording:
        parts.append(_weigh_hits(hit.line for hit in situation.hits if hit.wording.id == condition.wording))
    if condition.problem:
        parts.append(_weigh_hits(hit.line for hit in situation.hits_of(condition.problem)))
    return _all(parts)


def _all(parts: Iterable[Weighed]) -> Weighed:
    """Return the conjunction: one false part decides, whatever is unknown."""
    return _decide(parts, False)


def _any(parts: Iterable[Weighed]) -> Weighed:
    """Return the disjunction: one true part decides, whatever is unknown."""
    return _decide(parts, True)


def _decide(parts: Iterable[Weighed], deciding: bool) -> Weighed:
    weighed = list(parts)
    decided = [part for part in weighed if part.truth is deciding]
    unknown = [part for part in weighed if part.truth is None]
    if decided:
        return Weighed(deciding, (), _lines(decided[:1]))
    if unknown:
        return Weighed(None, _names(unknown), _lines(weighed))
    return Weighed(not deciding, (), _lines(weighed))


def negate(weighed: Weighed) -> Weighed:
    """Return the negation; unknown stays unknown."""
    truth = None if weighed.truth is None else not weighed.truth
    return Weighed(truth, weighed.waits_for, weighed.lines)


def _lines(parts: Iterable[Weighed]) -> tuple[Line, ...]:
    return tuple({line.number: line for part in parts for line in part.lines}.values())


def _names(parts: Iterable[Weighed]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for part in parts for name in part.waits_for))


def _weigh_hits(lines: Iterable[Line]) -> Weighed:
    found = tuple(lines)
    return Weighed(bool(found), (), found[:1])


def value_of(name: str, situation: Situation) -> Known:
    """Return a fact or a named amount, or what it waits for."""
    amount = AMOUNTS.get(name)
    if amount is None:
        value = situation.fact(name)
        return Known(value, (name,) if value is None else (), situation.lines_of([name]))
    if name not in situation.worked_out:
        value = amount.of(situation)
        waits_for = amount.waits_for(situation) if value is None else ()
        situation.worked_out[name] = Known(value, waits_for, amount.lines(situation))
    return situation.worked_out[name]


def _weigh_test(test: Test, situation: Situation) -> Weighed:
    left = value_of(test.name, situation)
    if test.op == "known":
        value = left.value if test.name in AMOUNTS else situation.stated(test.name)
        return Weighed((value is not None) is _is_true(test.value), (), left.lines)
    right = _meaning(test, left.value, situation)
    if left.value is None or right.value is None:
        return Weighed(None, _both(left.waits_for, right.waits_for), left.lines)
    return Weighed(_compare(test.op, left.value, right.value), (), left.lines)


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one + other))


def _is_true(value: Any) -> bool:
    return value is None or value is True or str(value).lower() == "true"


def _meaning(test: Test, left: Any, situation: Situation) -> Known:
    """Return what the right side stands for: another fact or amount, or a literal of the left side's type."""
    if isinstance(test.value, str) and test.op != "matches" and (test.value in FACTS or test.value in AMOUNTS):
        return value_of(test.value, situation)
    if isinstance(test.value, (list, tuple)):
        return Known(tuple(_literal(item, test, left) for item in test.value))
    return Known(_literal(test.value, test, left))


def _literal(raw: Any, test: Test, left: Any) -> Any:
    """Return a literal, typed like what it is compared with, for YAML gives texts; None when it is no such value."""
    try:
        return _typed(raw, test, left)
    except ValueError:
        return None


def _typed(raw: Any, test: Test, left: Any) -> Any:
    if test.op in {"since", "until"} or isinstance(left, Version):
        return read_version(raw)
    if test.op == "matches" or left is None:
        return str(raw)
    return _like(left, raw, test.name)


def _like(left: Any, raw: Any, name: str) -> Any:
    for kind, read in _LITERALS.items():
        if isinstance(left, kind):
            return read(raw)
    return fact_value(name, raw) if name in FACTS else raw


def _read_bool(raw: Any) -> bool:
    return str(raw).strip().lower() in {"true", "yes", "on", "1"}


def _read_bytes(raw: Any) -> float:
    return raw if isinstance(raw, (int, float)) else Bytes.parse(str(raw), decimal_prefix="binary")


def _read_number(raw: Any) -> float:
    """Return a number; "32K" is 32,768 and "32k" 32,000, as vLLM reads its flags."""
    if isinstance(raw, (int, float)):
        return raw
    text = str(raw).strip()
    return fact_value("max_model_len", text) if text[-1:] in "kKmM" else float(text.replace(",", "").replace("_", ""))


# In this order: a bool is an int, and Bytes are one too.
_LITERALS: Mapping[type, Callable[[Any], Any]] = {
    bool: _read_bool,
    Bytes: _read_bytes,
    int: _read_number,
    float: _read_number,
    str: str,
}


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left.casefold() == right.casefold()
    return left == right


def _within(left: Any, right: Any) -> bool:
    return any(_same(left, item) for item in (right if isinstance(right, (list, tuple)) else (right,)))


def _matches(left: Any, right: Any) -> bool:
    texts = left if isinstance(left, (list, tuple)) else (left,)
    return any(re.search(str(right), str(text), re.IGNORECASE) for text in texts)


ORDERS = frozenset({"above", "below", "at_least", "at_most"})

_OPERATIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is": _same,
    "is_not": lambda left, right: not _same(left, right),
    "in": _within,
    "not_in": lambda left, right: not _within(left, right),
    "above": lambda left, right: left > right,
    "below": lambda left, right: left < right,
    "at_least": lambda left, right: left >= right,
    "at_most": lambda left, right: left <= right,
    "since": lambda left, right: left >= right,
    "until": lambda left, right: left <= right,
    "matches": _matches,
}


def _compare(operation: str, left: Any, right: Any) -> bool | None:
    """Return whether the operation holds; None when the two cannot be compared, as words cannot be by size."""
    if operation in ORDERS and isinstance(left, str):
        return None
    try:
        return _OPERATIONS[operation](left, right)
    except TypeError:
        return None
