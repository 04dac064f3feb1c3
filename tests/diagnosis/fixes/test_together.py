"""Fixes that help only together."""

from __future__ import annotations

from typing import Any

import pytest

from bot.catalog.problem import Problem
from bot.deployment import Deployment
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.fixes.together import joined_fixes
from bot.diagnosis.fixes.trials import Bench, Trial, try_fix
from tests.diagnosis.conftest import FLAGS, TOO_SMALL
from tests.diagnosis.makers import evidence_of

SHORTER = {"id": "shorter", "title": "Or serve less", "set": {"max_model_len": "4096"}, "rank": 20}
EAGER = {"id": "eager", "title": "Be eager", "set": {"enforce_eager": "true"}, "rank": 10}


@pytest.fixture
def bench(served: Deployment) -> Bench:
    return Bench(look_into(evidence_of(), served, ()), TOO_SMALL, FLAGS)


def a_problem(*fixes: dict[str, Any]) -> Problem:
    return Problem.model_validate({**TOO_SMALL.model_dump(exclude={"causes", "fixes"}), "fixes": fixes})


def tried(bench: Bench, *fixes: dict[str, Any]) -> list[Trial]:
    trials = [try_fix(fix, bench) for fix in a_problem(*fixes).fixes]
    return [trial for trial in trials if trial]


def test_what_a_fix_leads_to_is_cured_by_the_fixes_of_that_problem(bench: Bench):
    cure = {"kv-cache-too-small-for-max-len": a_problem(SHORTER)}

    (found,) = joined_fixes(tried(bench, EAGER), bench, cure)

    assert ("eager-and-shorter", "Be eager, and serve less") == (found.fix.id, found.title)
    assert {"enforce_eager": True, "max_model_len": 4096} == found.patch


def test_what_costs_least_together_comes_first(bench: Bench):
    dearer = {"id": "least", "title": "Serve least", "set": {"max_model_len": "2048"}, "rank": 60}
    cures = {"kv-cache-too-small-for-max-len": a_problem(dearer, SHORTER)}

    found = joined_fixes(tried(bench, EAGER), bench, cures)

    assert ["eager-and-shorter", "eager-and-least"] == [item.fix.id for item in found]


def test_without_a_problem_to_cure_nothing_is_joined(bench: Bench):
    assert [] == list(joined_fixes(tried(bench, EAGER), bench, {}))


@pytest.mark.parametrize(
    "other",
    [
        {**SHORTER, "set": {"enforce_eager": "false", "max_model_len": "4096"}},
        {**SHORTER, "versions": {"since": "0.20"}},
        {**SHORTER, "when": [{"vllm_version": {"since": "0.20"}}]},
    ],
    ids=["the same fact", "another version", "another condition"],
)
def test_what_has_no_place_is_not_joined(bench: Bench, other: dict[str, Any]):
    cure = {"kv-cache-too-small-for-max-len": a_problem(other)}

    assert [] == list(joined_fixes(tried(bench, EAGER), bench, cure))


def test_fixes_that_no_version_has_together_are_not_joined(bench: Bench):
    cure = {"kv-cache-too-small-for-max-len": a_problem({**SHORTER, "versions": {"since": "0.20"}})}

    assert [] == list(joined_fixes(tried(bench, {**EAGER, "versions": {"until": "0.12.0"}}), bench, cure))


def test_failures_behind_one_another_are_cured_in_turn(served: Deployment):
    refused = served.with_(tensor_parallel=3, gpu_count=4)
    bench = Bench(look_into(evidence_of(), refused, ()), TOO_SMALL, FLAGS)
    one_gpu = {"id": "one", "title": "Take one", "set": {"tensor_parallel": "1"}}
    chain = {
        "tp-heads-not-divisible": a_problem(one_gpu),
        "kv-cache-too-small-for-max-len": a_problem(SHORTER),
    }
    failed = tried(bench, EAGER)

    assert [] == list(joined_fixes(failed, bench, chain, most_cures=1))
    assert ["eager-and-one-and-shorter"] == [item.fix.id for item in joined_fixes(failed, bench, chain)]
