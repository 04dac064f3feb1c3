"""Sizing as values."""

from __future__ import annotations

import pytest

from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import default_sequences, limit, resize, size_case
from bot.diagnosis.completion import with_evidence
from bot.diagnosis.situation import Situation
from bot.sizing import limits
from bot.sizing.size import size
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


LESS_IS_TAKEN: tuple[dict[str, object], ...] = (
    {"max_num_seqs": 64},
    {"max_num_batched_tokens": 1024},
    {"enforce_eager": True},
    {"max_num_seqs": 64, "kv_cache_dtype": "fp8"},
    {"max_num_seqs": 64, "gpu_memory_utilization": 0.92},
)


@pytest.mark.parametrize("facts", LESS_IS_TAKEN, ids=str)
@pytest.mark.parametrize("off_by", [-2.0, -0.5, 0.5, 2.0])
def test_what_takes_less_leaves_no_fewer_tokens_than_the_log(
    served: Deployment, facts: dict[str, object], off_by: float
):
    told = served.with_(vllm_version="0.11.0", max_num_seqs=256, max_num_batched_tokens=2048)
    computed = size(told).kv_available
    case = size_case(Situation(evidence_of(), told, measured=Measured(kv_available=computed + Bytes.gib(off_by))))

    before, after = case.budget, resize(case, told.with_(**facts)).budget

    assert before is not None
    assert after is not None
    assert before.kv_tokens <= after.kv_tokens


@pytest.mark.parametrize("off_by", [-1.0, 1.0])
def test_a_change_moves_the_cache_by_as_much_as_without_a_log(served: Deployment, off_by: float):
    told = served.with_(vllm_version="0.11.0", max_num_seqs=256, max_num_batched_tokens=8192)
    fewer = told.with_(max_num_batched_tokens=2048)
    computed, freed = size(told), size(fewer).kv_available - size(told).kv_available
    seen = computed.kv_available + Bytes.gib(off_by)

    after = resize(size_case(Situation(evidence_of(), told, measured=Measured(kv_available=seen))), fewer).budget

    assert after is not None
    assert int(seen + freed) == int(after.kv_available)


def test_another_layout_is_sized_from_scratch(served: Deployment):
    case = size_case(Situation(evidence_of(), served, measured=Measured(kv_available=Bytes.gib(3))))

    assert None is resize(case, served.with_(tensor_parallel=2, gpu_count=2)).measured.kv_beyond


def test_a_limit_that_cannot_be_worked_out_is_unknown():
    assert limit(limits.longest_context, a_situation()) is None


def test_vllm_s_default_of_sequences_is_known():
    assert (default_sequences(Deployment()) or 0) > 0
    assert with_evidence(Deployment(), evidence_of()) == Deployment()
