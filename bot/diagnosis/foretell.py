"""Which start-up failure a command must meet, where a person says that it fails and shows no message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bot.catalog.problem import Problem
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.recognise import Recognised

# Trouble at start or with memory; trouble of another kind is not explained by a budget that does not fit.
_STARTING = re.compile(
    r"""\b(?:re)?start\w*|\bload(?:s|ed|ing)?\b|\blaunch\w*|\bboot\w*|\bcomes?\ up\b|\bdeploy\w*|\boom\w*|\bmemory\b|\bcrash\w*
      |\bOutOfMemory\w*|启动|部署|起動""",
    re.VERBOSE | re.IGNORECASE,
)


def foretell(situation: Situation, recognised: Recognised, problems: Mapping[str, Problem]) -> Recognised:
    """Return the problem that the stated deployment must run into, as alike; what was recognised where there is none."""
    if recognised.matches or recognised.concern == "none":
        return recognised
    names = [*_refused(situation), *(_failing(situation) if recognised.concern == "asked" else ())]
    found = [problems[name] for name in dict.fromkeys(names) if name in problems]
    if not found:
        return recognised
    line = next(iter(situation.lines_of(["command", "model"])), None)
    matches = tuple(Match(problem=problem, wording=None, line=line, is_exact=False) for problem in found)
    return Recognised("alike", matches, is_for_us=True)


def _refused(situation: Situation) -> Iterator[str]:
    """Yield what vLLM says to a command that it does not accept at all."""
    yield from (refusal.problem for refusal in situation.refusals if refusal.problem)


def _failing(situation: Situation) -> Iterator[str]:
    """Yield the start-up check that must fail, where the trouble is one of starting."""
    failed = situation.budget.failed_check if situation.budget else None
    if failed and failed.certain and any(_STARTING.search(line.text) for line in situation.evidence.lines):
        yield failed.problem
