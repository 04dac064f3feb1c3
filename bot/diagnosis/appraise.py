"""A deployment without a failure: its budget, what would go wrong at start, and the fixes for that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import size_case
from bot.diagnosis.amounts.utilization import even_share
from bot.diagnosis.contradictions import said_in_two_ways
from bot.diagnosis.questions import ask_for
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import Diagnosis
from bot.evidence import Evidence
from bot.sizing.terms import Measured

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge
    from bot.catalog.problem import Problem


def appraise(evidence: Evidence, deployment: Deployment, measured: Measured, knowledge: Knowledge | None) -> Diagnosis:
    """Return the budget of a deployment as a diagnosis; its problem is the start-up check that would fail first.

    Args:
        evidence: What was said of the deployment.
        deployment: That, completed with shape and card.
        measured: Figures of one GPU that replace estimates.
        knowledge: Problems and flags; without it nothing is prescribed.
    """
    situation = _with_share(size_case(Situation(evidence, deployment, measured=measured)))
    diagnosis = Diagnosis(
        evidence=evidence,
        deployment=situation.deployment,
        budget=situation.budget,
        refusals=situation.refusals,
        questions=ask_for(situation.lacking, situation),
        contradictions=said_in_two_ways(evidence),
        confidence="medium" if situation.budget and situation.budget.is_within_margin else "high",
        is_for_us=True,
    )
    problem = _expected(situation, knowledge)
    return _with_fixes(diagnosis, problem, situation, knowledge) if problem and knowledge else diagnosis


def _with_fixes(diagnosis: Diagnosis, problem: Problem, situation: Situation, knowledge: Knowledge) -> Diagnosis:
    """Say of a problem why it would come, and what keeps it from coming."""
    from bot.diagnosis.causes import first_standing, judge_causes  # noqa: PLC0415  # for what would fail only
    from bot.diagnosis.fixes.prescriptions import prescribe  # noqa: PLC0415
    from bot.diagnosis.fixes.telling import tell  # noqa: PLC0415

    causes = judge_causes(problem, situation)
    prescribed = prescribe(problem, causes, situation, knowledge.flags, knowledge.problems)
    return diagnosis._replace(
        problem=problem,
        told=tell(problem, situation),
        causes=causes,
        cause=first_standing(causes),
        prescriptions=prescribed.prescriptions,
        rejected=prescribed.rejected,
    )


def _with_share(situation: Situation) -> Situation:
    """Return the situation with an even share of the card, where servers are to share it and nobody says which."""
    share = even_share(situation)
    if share is None or situation.deployment.gpu_memory_utilization is not None:
        return situation
    return size_case(replace(situation, deployment=situation.deployment.with_(gpu_memory_utilization=share)))


def _expected(situation: Situation, knowledge: Knowledge | None) -> Problem | None:
    """Return the problem of the check that fails first, or of what vLLM refuses outright."""
    if knowledge is None:
        return None
    failed = situation.budget.failed_check if situation.budget else None
    refused = [refusal.problem for refusal in situation.refusals if refusal.problem]
    names = refused + ([failed.problem] if failed else [])
    return next((knowledge.problems[name] for name in names if name in knowledge.problems), None)
