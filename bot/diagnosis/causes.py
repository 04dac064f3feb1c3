"""Which causes of a problem stand, fall, or wait for facts, and the sentence that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from bot.diagnosis.conditions import value_of, weigh
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import CauseVerdict
from bot.units import Bytes

if TYPE_CHECKING:
    from bot.catalog.problem import Cause, Problem

PLACEHOLDER = re.compile(r"\{([a-z_]\w*)\}")
_ORDER = {"stands": 0, "waits": 1, "falls": 2}


def judge_causes(problem: Problem, situation: Situation) -> tuple[CauseVerdict, ...]:
    """Return a verdict on every cause: those that stand first, then by rank."""
    verdicts = [judge(cause, situation) for cause in problem.causes]
    return tuple(sorted(verdicts, key=lambda verdict: (_ORDER[verdict.verdict], verdict.cause.rank)))


def judge(cause: Cause, situation: Situation) -> CauseVerdict:
    """Return the verdict on one cause."""
    weighed = weigh(cause.when, situation)
    verdict = "waits" if weighed.truth is None else "stands" if weighed.truth else "falls"
    return CauseVerdict(
        cause=cause,
        verdict=verdict,
        waits_for=weighed.waits_for,
        because=say(cause.because, situation),
        lines=weighed.lines if verdict == "stands" else (),
    )


def say(texts: Sequence[str], situation: Situation, used: Mapping[str, Any] | None = None) -> str:
    """Return the first text whose placeholders are all known, filled in; nothing when there is none.

    Args:
        texts: From the most telling to the plainest.
        situation: What is known.
        used: Amounts that a patch worked out, which count before the situation's own.
    """
    given = used or {}
    for text in texts:
        names = PLACEHOLDER.findall(text)
        shown = {name: show(given[name] if name in given else value_of(name, situation).value) for name in names}
        if "" not in shown.values():
            return _fill(text, shown)
    return ""


def _fill(text: str, shown: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: shown[found[1]], text)


def show(value: Any) -> str:
    """Return a value as people read it; nothing for what is unknown.

    >>> show(131072), show(Bytes.gib(4.125)), show((4, 8)), show(0.95)
    ('131,072', '4.12 GiB', '4, 8', '0.95')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (Bytes, Version)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)  # PIDs take no marks


def first_standing(verdicts: Iterable[CauseVerdict]) -> CauseVerdict | None:
    """Return the first cause that stands."""
    return next((verdict for verdict in verdicts if verdict.verdict == "stands"), None)
