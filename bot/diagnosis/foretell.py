"""Which start-up failure a command must meet, where a person says that it fails and shows no message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

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
    """Return the problem that the stated deployment must run into, as alike; what was recognised where there is none.

    What vLLM refuses by rule comes before what only words hint at: of a budget it never gets to speak.
    """
    if recognised.matches:
        is_open = _is_hinted(recognised) and _is_of_starting(situation)
        return _refused_first(situation, recognised, problems) if is_open else recognised
    if recognised.concern == "none":
        return recognised
    names = [*_refused(situation), *(_failing(situation) if recognised.concern == "asked" else ())]
    matches = _matches(names, situation, problems)
    return Recognised("alike", matches, is_for_us=True) if matches else recognised


def _is_hinted(recognised: Recognised) -> bool:
    """Return whether only what a person describes was recognised, and that in part: no program's message is there."""
    kinds = {match.wording.kind for match in recognised.matches if match.wording}
    return recognised.match == "alike" and kinds <= {"description"}


def _refused_first(situation: Situation, recognised: Recognised, problems: Mapping[str, Problem]) -> Recognised:
    """Return what was recognised after what vLLM refuses of the deployment."""
    refused = _matches(_refused(situation), situation, problems)
    names = {match.problem.id for match in refused}
    others = tuple(match for match in recognised.matches if match.problem.id not in names)
    return replace(recognised, matches=(*refused, *others)) if refused else recognised


def _matches(names: Iterable[str], situation: Situation, problems: Mapping[str, Problem]) -> tuple[Match, ...]:
    line = next(iter(situation.lines_of(["command", "model"])), None)
    found = [problems[name] for name in dict.fromkeys(names) if name in problems]
    return tuple(Match(problem=problem, wording=None, line=line, is_exact=False) for problem in found)


def _refused(situation: Situation) -> Iterator[str]:
    """Yield what vLLM says to a command that it does not accept at all."""
    yield from (refusal.problem for refusal in situation.refusals if refusal.problem)


def _failing(situation: Situation) -> Iterator[str]:
    """Yield the start-up check that must fail, where the trouble is one of starting."""
    failed = situation.budget.failed_check if situation.budget else None
    if failed and failed.certain and _is_of_starting(situation):
        yield failed.problem


def _is_of_starting(situation: Situation) -> bool:
    return any(_STARTING.search(line.text) for line in situation.evidence.lines)
