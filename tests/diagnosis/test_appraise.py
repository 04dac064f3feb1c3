from __future__ import annotations

from bot.catalog.load import Knowledge
from bot.deployment import Deployment
from bot.diagnosis.appraise import appraise
from bot.evidence import Evidence
from bot.sizing.terms import Measured
from tests.diagnosis.makers import evidence_of


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


def test_servers_that_share_a_card_get_an_even_share_unless_one_was_stated(served: Deployment, knowledge: Knowledge):
    shared = evidence_of(instances=2)
    even, stated = (
        appraise(shared, served.with_(gpu_memory_utilization=share), Measured(), knowledge) for share in (None, 0.6)
    )

    assert (even.deployment.gpu_memory_utilization or 1) < 0.48
    assert even.budget
    assert even.budget.allowance < even.budget.total * 0.48
    assert 0.6 == stated.deployment.gpu_memory_utilization
