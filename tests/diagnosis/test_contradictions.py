"""What cannot all be true."""

from __future__ import annotations

from bot.catalog.problem import Problem
from bot.deployment import Deployment
from bot.diagnosis.causes import judge_causes
from bot.diagnosis.contradictions import contradictions_in, is_unexplained
from bot.diagnosis.diagnose import look_into
from bot.facts import Conflict, Fact, Origin
from bot.units import Bytes
from tests.diagnosis.conftest import NO_CACHE, TOO_SMALL
from tests.diagnosis.makers import a_situation, evidence_of


def named(problem: str) -> Problem:
    return TOO_SMALL.model_copy(update={"id": problem})


def test_two_values_of_one_fact_are_said_with_their_lines():
    kept, other = (
        Fact(name="max_model_len", value=value, origin=Origin.PASTED, line=line)
        for value, line in ((8192, 3), (4096, 1))
    )
    evidence = evidence_of()._replace(conflicts=(Conflict(name="max_model_len", kept=kept, other=other),))

    (said,) = contradictions_in(None, a_situation(evidence=evidence))

    assert "Two values for context length: 8,192 (line 3), which counts here, and 4,096 (line 1)." == said.text


def test_a_failure_that_the_budget_does_not_explain_is_said(served: Deployment):
    situation = look_into(evidence_of(), served.with_(max_model_len=2048), ())

    assert any("fits" in said.text for said in contradictions_in(named("oom-profile-run"), situation))


def test_a_cache_that_was_printed_is_no_budget_in_which_the_failure_would_not_be(served: Deployment):
    situation = look_into(evidence_of(kv_available=Bytes.gib(4.13)), served.with_(max_model_len=2048), ())

    assert () == contradictions_in(named("oom-cuda-graph-capture"), situation)


def test_a_cache_that_leaves_the_card_half_empty_denies_that_graphs_find_no_room(served: Deployment):
    told = served.with_(max_model_len=2048, gpu_memory_utilization=0.5)
    situation = look_into(evidence_of(weights=Bytes.gib(8), kv_available=Bytes.gib(2)), told, ())

    assert any("fits" in said.text for said in contradictions_in(named("oom-cuda-graph-capture"), situation))


def test_an_estimate_on_the_other_side_of_the_failure_is_said(served: Deployment):
    situation = look_into(evidence_of(), served.with_(gpu_memory_utilization=0.74, max_model_len=2048), ())
    assert situation.budget
    assert situation.budget.kv_low <= 0 < situation.budget.kv_available

    (said,) = contradictions_in(named("kv-cache-no-memory"), situation)
    assert "(nothing to " in said.text
    assert () == contradictions_in(named("tp-exceeds-visible-gpus"), situation)


def test_a_budget_says_nothing_of_what_is_refused_by_rule(served: Deployment):
    situation = look_into(evidence_of(), served.with_(max_model_len=2048), ())

    assert () == contradictions_in(named("tp-exceeds-visible-gpus"), situation)


def test_a_failure_that_the_budget_excludes_is_evidence_of_something_else(served: Deployment):
    problem = NO_CACHE.model_copy(update={"id": "kv-cache-no-memory", "fixes": TOO_SMALL.fixes})
    roomy, full = (
        look_into(evidence_of(), served.with_(**facts), ())
        for facts in ({"max_model_len": 2048}, {"gpu_memory_utilization": 0.5})
    )

    (said,) = contradictions_in(problem, roomy)

    assert ("budget", True) == (said.kind, "contradicts my budget" in said.text)
    assert [True, False] == [is_unexplained(problem, (), each) for each in (roomy, full)]


def test_what_a_cause_explains_is_not_unexplained(served: Deployment):
    causes = [{"id": "c", "title": "c", "because": "c", "when": {"vllm_version": "0.11.0"}}]
    problem = Problem.model_validate(
        {**NO_CACHE.model_dump(exclude={"causes"}), "id": "kv-cache-no-memory", "causes": causes}
    )
    roomy = look_into(evidence_of(), served.with_(max_model_len=2048), ())

    assert not is_unexplained(problem, judge_causes(problem, roomy), roomy)


def test_a_failure_that_the_budget_explains_is_no_contradiction(served: Deployment):
    problem = named("kv-cache-too-small-for-max-len")

    assert () == contradictions_in(problem, look_into(evidence_of(kv_available=Bytes.gib(4.13)), served, ()))


def test_much_less_cache_than_computed_is_said(served: Deployment):
    situation = look_into(evidence_of(kv_available=Bytes.mib(100), total=Bytes.gib(22.03)), served, ())

    assert any("less for the KV cache" in said.text for said in contradictions_in(TOO_SMALL, situation))


def test_nothing_known_contradicts_nothing():
    assert () == contradictions_in(TOO_SMALL, a_situation())


def test_another_first_failure_than_the_pasted_one_is_said(served: Deployment):
    situation = look_into(evidence_of(), served.with_(gpu_memory_utilization=0.3), ())

    said = contradictions_in(named("kv-cache-too-small-for-max-len"), situation)

    assert any("another message" in each.text for each in said)
