"""One fix on trial."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.catalog.problem import Fix
from bot.deployment import Deployment, read_version
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.fixes.trials import Bench, likely, try_fix
from bot.diagnosis.situation import Situation
from tests.diagnosis.conftest import FLAGS, TOO_SMALL
from tests.diagnosis.makers import a_hit, a_situation, evidence_of


@pytest.fixture
def long(served: Deployment) -> Situation:
    return look_into(evidence_of(), served, ())


def bench(situation: Situation, stage: str = "startup") -> Bench:
    return Bench(situation, TOO_SMALL.model_copy(update={"stage": stage}), FLAGS)


def a_fix(**fields: Any) -> Fix:
    return Fix.model_validate({"id": "f", "title": "A fix", **fields})


def test_a_fix_tells_what_the_patched_deployment_would_run_into(long: Situation):
    trial = try_fix(a_fix(set={"enforce_eager": "true"}), bench(long))

    assert trial
    assert trial.rejected
    assert "kv-cache-too-small-for-max-len" == trial.next_problem


def test_what_no_sizing_judges_is_sized_all_the_same_where_it_can_be(long: Situation):
    fix = a_fix(set={"enforce_eager": "true"}, is_checked_by_sizing=False)
    trials = [try_fix(fix, each) for each in (bench(long), bench(long, "serving"), bench(a_situation(Deployment())))]

    assert [False, True, True] == [bool(trial and trial.prescription) for trial in trials]
    assert [None, None] == [trial.prescription.budget for trial in trials if trial and trial.prescription]


def test_a_refusal_that_has_nothing_to_do_with_the_fix_rejects_it_too(long: Situation):
    refused = replace(long, deployment=long.deployment.with_(kv_cache_dtype="fp99"))
    trial = try_fix(a_fix(set={"max_model_len": "4096"}), bench(refused))

    assert trial
    assert trial.rejected
    assert "fp99" in trial.rejected.because


def test_what_vllm_took_before_it_failed_is_no_reason_to_reject(long: Situation):
    seen = replace(long, deployment=long.deployment.with_(kv_cache_dtype="fp99"), hits=(a_hit(TOO_SMALL),))
    trial = try_fix(a_fix(set={"max_model_len": "4096"}), bench(seen))

    assert trial
    assert trial.rejected is None or "fp99" not in trial.rejected.because


def test_one_refusal_does_not_show_that_vllm_took_the_rest(long: Situation):
    heads = TOO_SMALL.model_copy(update={"id": "tp-heads-not-divisible"})
    both = long.deployment.with_(kv_cache_dtype="fp99", tensor_parallel=3)
    seen = replace(long, deployment=both, hits=(a_hit(heads),))
    trial = try_fix(a_fix(set={"tensor_parallel": "1", "max_model_len": "4096"}), Bench(seen, heads, FLAGS))

    assert trial
    assert trial.rejected
    assert "fp99" in trial.rejected.because


def test_what_is_dropped_is_in_the_patch(long: Situation):
    fp8 = replace(long, deployment=long.deployment.with_(kv_cache_dtype="fp8"))
    trial = try_fix(a_fix(set={"max_model_len": "4096"}, unset=["kv_cache_dtype"]), bench(fp8))

    assert trial
    assert trial.prescription
    assert {"kv_cache_dtype": None, "max_model_len": 4096} == trial.prescription.patch


@pytest.mark.parametrize(
    ("told", "versions", "is_offered"),
    [
        ({"vllm_version": "0.8.5"}, {"until": "0.10.2"}, True),
        ({"vllm_version": "0.19.0"}, {"until": "0.10.2"}, False),
        ({}, {"until": "0.10.2"}, False),
        ({}, {"since": "0.20.0"}, True),
        ({"version_until": "0.11.0"}, {"until": "0.10.2"}, True),
        ({"version_since": "0.13.0"}, {"until": "0.10.2"}, False),
        ({"version_until": "0.8.0"}, {"since": "0.20.0"}, False),
        ({"version_since": "0.13.0", "version_until": "0.8.0"}, {"since": "0.20.0"}, True),
    ],
)
def test_a_fix_is_of_the_stated_version_or_of_what_the_log_allows_or_of_the_latest(
    told: dict[str, str], versions: dict[str, str], is_offered: bool
):
    deployment = Deployment(**{name: read_version(value) for name, value in told.items()})
    fix = a_fix(steps=[{"run": "true", "read": "-"}], versions=versions)

    assert is_offered is (try_fix(fix, bench(a_situation(deployment))) is not None)


def test_a_stated_version_is_the_likely_one():
    deployment = Deployment(vllm_version=read_version("0.8.5"))

    assert deployment is likely(deployment)
    assert likely(Deployment()).vllm_version


@pytest.mark.parametrize(
    ("versions", "told", "said"),
    [
        ({"since": "0.9.0"}, {"version_until": "0.10.2", "engine": "V0"}, "Needs vLLM 0.9.0 or later."),
        ({"since": "0.9.0"}, {"version_until": "0.10.2", "engine": "V0", "vllm_version": "0.9.1"}, ""),
        ({"since": "0.3.3"}, {}, ""),
    ],
)
def test_a_fix_that_the_likeliest_release_has_not_says_which_it_needs(
    long: Situation, versions: dict[str, str], told: dict[str, Any], said: str
):
    facts = {name: value if name == "engine" else read_version(value) for name, value in told.items()}
    dated = replace(long, deployment=long.deployment.with_(**{"vllm_version": None, **facts}))
    trial = try_fix(a_fix(set={"max_model_len": "4096"}, versions=versions), bench(dated))

    assert trial
    assert trial.prescription
    assert said == trial.prescription.costs
