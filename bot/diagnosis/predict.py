"""What we would have said of a run before it started, beside what its log then printed."""

from __future__ import annotations

from bot.deployment import Deployment, Frozen
from bot.diagnosis.completion import with_evidence
from bot.diagnosis.measured import measured_in
from bot.evidence import Evidence
from bot.sizing.calibrate import FIGURES
from bot.sizing.checks.refusals import refuse
from bot.sizing.size import UnknownFactsError, size
from bot.sizing.terms import Budget, Measured


class Prediction(Frozen):
    """A budget made from the settings alone, and the figures of the log; without either it says why."""

    logged: Measured
    budget: Budget | None = None
    because: str = ""


def predict(evidence: Evidence, deployment: Deployment, noted: Measured) -> Prediction:
    """Return the budget of a run as its settings tell it; of the log only the card's total counts.

    Args:
        evidence: What was read of the log.
        deployment: Its settings, completed with shape and card.
        noted: Figures that somebody wrote down beside the log.
    """
    logged = measured_in(evidence).model_copy(update=noted.model_dump(exclude_none=True))
    if not any(getattr(logged, name) is not None for name in FIGURES):
        return Prediction(logged=logged, because="prints none of the figures that are predicted")
    stated = with_evidence(deployment, evidence)
    refusal = next(iter(refuse(stated)), None)
    if refusal is not None:
        return Prediction(logged=logged, because=refusal.message)
    try:
        return Prediction(logged=logged, budget=size(stated, Measured(total=logged.total)))
    except UnknownFactsError as error:
        return Prediction(logged=logged, because=f"does not tell the {' or the '.join(error.names)}")
    except (ValueError, ArithmeticError) as error:
        return Prediction(logged=logged, because=f"cannot be sized: {error}")
