"""Sizing as values."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import default_sequences, limit, resize, size_case
from bot.diagnosis.completion import with_evidence
from bot.diagnosis.situation import Situation
from bot.sizing import limits
from bot.sizing.terms import Measured
from bot.units import Bytes
from tests.diagnosis.makers import a_situation, evidence_of


def test_what_sizing_lacks_is_named():
    assert ("model", "gpu") == size_case(a_situation()).lacking


def test_what_vllm_refuses_is_a_refusal(served: Deployment):
    case = size_case(a_situation(served.with_(tensor_parallel=3)))

    assert ["tensor_parallel"] == [refusal.name for refusal in case.refusals]


def test_a_changed_case_keeps_what_still_holds(served: Deployment):
    measured = Measured(total=Bytes.gib(22.03), weights=Bytes.gib(14.99), kv_available=Bytes.gib(4.13))
    case = size_case(Situation(evidence_of(), served, measured=measured))

    shorter, wider = (
        resize(case, served.with_(**facts)) for facts in ({"max_model_len": 8192}, {"tensor_parallel": 2})
    )

    assert (Bytes.gib(4.13), None) == (shorter.measured.kv_available, wider.measured.kv_available)


def test_the_memory_behind_the_tokens_of_a_log_outlasts_them(served: Deployment):
    case = size_case(Situation(evidence_of(), served, measured=Measured(kv_tokens=20_000)))

    before, narrower = case.budget, resize(case, served.with_(kv_cache_dtype="fp8")).budget

    assert before is not None
    assert narrower is not None
    assert str(before.kv_available) == str(narrower.kv_available)
    assert 2 * 20_000 == narrower.kv_tokens


def test_the_memory_behind_them_grows_with_the_share(served: Deployment):
    case = size_case(
        Situation(evidence_of(), served.with_(gpu_memory_utilization=0.8), measured=Measured(kv_tokens=20_000))
    )

    before, larger = case.budget, resize(case, served.with_(gpu_memory_utilization=0.9)).budget

    assert before is not None
    assert larger is not None
    assert str(before.kv_available + before.total * 0.1) == str(larger.kv_available)


def test_a_limit_that_cannot_be_worked_out_is_unknown():
    assert limit(limits.longest_context, a_situation()) is None


def test_vllm_s_default_of_sequences_is_known():
    assert (default_sequences(Deployment()) or 0) > 0
    assert with_evidence(Deployment(), evidence_of()) == Deployment()
