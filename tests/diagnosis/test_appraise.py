from __future__ import annotations

from bot.catalog.load import Knowledge
from bot.deployment import Deployment
from bot.diagnosis.appraise import appraise
from bot.evidence import Evidence
from bot.sizing.terms import Measured


def test_what_fits_has_a_budget_and_no_problem(served: Deployment, knowledge: Knowledge):
    found = appraise(Evidence(), served.with_(max_model_len=4096), Measured(), knowledge)

    assert found.budget
    assert (True, None, ()) == (found.budget.fits, found.problem, found.prescriptions)


def test_what_cannot_be_sized_asks_for_what_lacks(knowledge: Knowledge):
    found = appraise(Evidence(), Deployment(max_model_len=4096), Measured(), knowledge)

    assert found.budget is None
    assert ["model", "gpu"] == [question.name for question in found.questions]


def test_without_knowledge_nothing_is_prescribed(served: Deployment):
    found = appraise(Evidence(), served.with_(max_model_len=131_072), Measured(), None)

    assert found.budget
    assert (False, None, ()) == (found.budget.fits, found.problem, found.prescriptions)


def test_a_figure_of_the_log_replaces_the_estimate(served: Deployment, knowledge: Knowledge):
    printed = Measured(kv_tokens=50_000)

    assert (
        appraise(Evidence(), served, printed, knowledge).budget
        != appraise(Evidence(), served, Measured(), knowledge).budget
    )
