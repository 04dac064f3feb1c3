"""Evidence and knowledge to a diagnosis: the one function that joins the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.deployment import Deployment
from bot.diagnosis.causes import first_standing, judge_causes
from bot.diagnosis.ranking import rank
from bot.diagnosis.scanners import scanner_of
from bot.diagnosis.situation import Situation
from bot.diagnosis.sizings import size_case
from bot.diagnosis.telling import tell
from bot.diagnosis.values import facts_in
from bot.diagnosis.verdict import Diagnosis
from bot.evidence import Evidence, merge

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge


def diagnose(evidence: Evidence, deployment: Deployment, knowledge: Knowledge) -> Diagnosis:
    """Return the verdict on a case.

    Args:
        evidence: What the paste shows.
        deployment: The evidence's deployment, completed with shape and card.
        knowledge: Problems and flags.
    """
    hits = scanner_of(knowledge).scan(evidence.lines)
    whole = merge(facts_in(hits), evidence)
    situation = size_case(Situation(whole, deployment, hits))
    matches = rank(hits, whole)
    if not matches:
        return Diagnosis(evidence=whole, deployment=deployment, budget=situation.budget)
    problem = matches[0].problem
    causes = judge_causes(problem, situation)
    return Diagnosis(
        evidence=whole,
        deployment=deployment,
        match="exact",
        problem=problem,
        told=tell(problem, situation),
        matches=matches,
        also=tuple(match.problem.id for match in matches[1:]),
        causes=causes,
        cause=first_standing(causes),
        budget=situation.budget,
        confidence="high",
        is_for_us=True,
    )
