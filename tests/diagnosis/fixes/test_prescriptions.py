"""Only what fits is prescribed."""

from __future__ import annotations

import pytest

from bot.catalog.problem import Problem
from bot.deployment import Deployment, read_version
from bot.diagnosis.causes import judge_causes
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.fixes.prescriptions import Prescribed, prescribe, without_risk
from bot.diagnosis.fixes.steps import fill_in
from bot.diagnosis.situation import Situation
from bot.units import Bytes
from tests.diagnosis.conftest import FLAGS, TOO_SMALL
from tests.diagnosis.makers import a_hit, a_process, a_situation, evidence_of


@pytest.fixture
def sized(served: Deployment) -> Situation:
    return look_into(
        evidence_of(
            weights=Bytes.gib(14.99), kv_available=Bytes.gib(4.13), total=Bytes.gib(22.03), max_model_len=131_072
        ),
        served,
        (),
    )


def prescribed(problem: Problem, situation: Situation) -> Prescribed:
    return prescribe(problem, judge_causes(problem, situation), situation, FLAGS, {})


def with_fixes(*fixes: dict[str, object]) -> Problem:
    full = [{"title": str(fix["id"]), **fix} for fix in fixes]
    return Problem.model_validate({**TOO_SMALL.model_dump(exclude={"causes", "fixes"}), "fixes": full})


def ids(found: Prescribed) -> list[str]:
    return [item.fix.id for item in found.prescriptions]


def test_every_fix_on_offer_fits_when_sized_again(sized: Situation):
    found = prescribed(TOO_SMALL, sized)

    assert ["shorter", "more-gpus"] == ids(found)
    assert all(item.budget and item.budget.fits for item in found.prescriptions)


def test_a_fix_names_what_it_gives(sized: Situation):
    first = prescribed(TOO_SMALL, sized).prescriptions[0]

    assert "Serve up to 32,768 tokens" == first.title
    assert "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 32768" == first.command
    assert "Longer requests are refused." == first.costs


def test_what_is_not_enough_is_said_with_what_it_would_give(sized: Situation):
    (rejected,) = prescribed(TOO_SMALL, sized).rejected

    assert "Keep the context in fp8" == rejected.title
    assert ("tokens", True) == (rejected.lacks, "tokens, 131,072 are needed" in rejected.because)


def test_two_together_stand_where_what_they_cost_puts_them(sized: Situation):
    problem = with_fixes(
        {"id": "fp8", "set": {"kv_cache_dtype": "fp8"}, "rank": 20},
        {"id": "half", "set": {"max_model_len": "65536"}, "rank": 30},
        {"id": "look", "steps": [{"run": "true", "read": "-"}], "rank": 40},
        {"id": "wait", "steps": [{"run": "true", "read": "-"}], "rank": 60},
    )

    assert ["look", "fp8-and-half", "wait"] == ids(prescribed(problem, sized))


def test_of_fixes_that_need_more_gpus_the_fewest_come_first(sized: Situation):
    problem = with_fixes(
        {"id": "eight", "set": {"tensor_parallel": "8"}, "rank": 10},
        {"id": "shorter", "set": {"max_model_len": "8192"}, "rank": 20},
        {"id": "two", "set": {"tensor_parallel": "2"}, "rank": 30},
    )

    assert ["two", "shorter", "eight"] == ids(prescribed(problem, sized))


def test_two_together_on_the_gpus_at_hand_come_before_one_on_more(sized: Situation):
    problem = with_fixes(
        {"id": "eight", "set": {"tensor_parallel": "8"}, "rank": 10},
        {"id": "fp8", "set": {"kv_cache_dtype": "fp8"}, "rank": 20},
        {"id": "half", "set": {"max_model_len": "65536"}, "rank": 30},
    )

    assert ["fp8-and-half", "eight"] == ids(prescribed(problem, sized))


def test_two_that_fit_only_together_are_offered_together(sized: Situation):
    problem = with_fixes(
        {"id": "fp8", "set": {"kv_cache_dtype": "fp8"}, "rank": 20},
        {"id": "half", "set": {"max_model_len": "65536"}, "rank": 30},
    )

    found = prescribed(problem, sized)

    assert ["fp8-and-half"] == ids(found)
    assert {"kv_cache_dtype": "fp8", "max_model_len": 65_536} == found.prescriptions[0].patch


def test_a_context_that_is_too_short_for_the_requests_is_no_fix(sized: Situation):
    asking = Situation(
        evidence_of(max_model_len=131_072, kv_available=Bytes.gib(4.13), longest_request=100_000),
        sized.deployment, (), sized.measured, sized.budget,
    )  # fmt: skip

    assert "shorter" not in ids(prescribed(TOO_SMALL, asking))


def test_a_fix_of_another_version_has_no_place(sized: Situation):
    problem = with_fixes({"id": "new", "set": {"max_model_len": "8192"}, "versions": {"since": "0.20"}})

    assert [] == ids(prescribed(problem, sized))


def test_a_flag_that_the_version_lacks_has_no_place(sized: Situation):
    problem = with_fixes({"id": "swap", "set": {"swap_space_gib": "0", "max_model_len": "8192"}})
    new = look_into(sized.evidence, sized.deployment.with_(vllm_version=read_version("0.33.0")), ())

    assert ["swap"] == ids(prescribed(problem, sized))
    assert [] == ids(prescribed(problem, new))


def test_a_layout_that_does_not_divide_is_refused(sized: Situation):
    found = prescribed(with_fixes({"id": "three", "set": {"tensor_parallel": "3"}}), sized)

    assert ([], 1) == (ids(found), len(found.rejected))


def test_steps_are_offered_as_they_are():
    problem = with_fixes({"id": "look", "steps": [{"run": "nvidia-smi", "read": "Who is there."}]})

    (item,) = prescribed(problem, a_situation()).prescriptions

    assert (("nvidia-smi", "Who is there.", None),) == item.steps
    assert item.command is None


def test_what_cannot_be_sized_is_offered_only_where_vllm_printed_it():
    situation = a_situation(Deployment(model="m"), estimated_max_len=33_808, max_model_len=131_072)

    found = prescribed(TOO_SMALL, situation)

    assert ["shorter"] == ids(found)
    assert found.prescriptions[0].budget is None


def test_fixes_of_the_cause_that_stands_come_first(sized: Situation):
    problem = with_fixes(
        {"id": "cheap", "steps": [{"run": "true", "read": "-"}], "rank": 1},
        {"id": "right", "steps": [{"run": "true", "read": "-"}], "rank": 90},
    )
    cause = {"id": "c", "title": "c", "because": "c", "fixes": ["right"]}
    other = {"id": "d", "title": "d", "because": "d", "fixes": ["cheap"], "rank": 60}
    whole = Problem.model_validate({**problem.model_dump(), "causes": [cause, other]})

    assert ["right", "cheap"] == ids(prescribed(whole, sized))


def test_a_step_is_ready_to_copy():
    situation = a_situation(Deployment(model="org/m"), a_hit(TOO_SMALL)).evidence._replace(
        processes=(a_process("VLLM::EngineCore", pid=4242),)
    )
    case = Situation(situation, Deployment(model="org/m"), (a_hit(TOO_SMALL),))

    assert "kill 4242" == fill_in("kill PID", case)
    assert "vllm serve org/m --x" == fill_in("vllm serve MODEL --x", case)
    assert "" == fill_in("vllm serve MODEL --max-model-len {longest_context}", case)


def test_while_a_question_is_open_no_step_is_advised():
    waiting = {
        "id": "c",
        "title": "c",
        "because": "c",
        "when": {"max_num_seqs": {"above": "1"}},
        "fixes": ["kill", "short"],
    }
    problem = with_fixes(
        {"id": "kill", "steps": [{"run": "kill PID", "read": "-"}]},
        {"id": "short", "set": {"max_model_len": "longest_context"}},
    )
    open_case = Problem.model_validate({**problem.model_dump(), "causes": [waiting]})

    assert ["short"] == ids(prescribed(open_case, a_situation(estimated_max_len=33_808)))


def test_what_is_only_likely_brings_no_risk():
    problem = with_fixes(
        {"id": "risky", "steps": [{"run": "kill PID", "read": "-", "risk": "It may serve somebody."}]},
        {"id": "safe", "steps": [{"run": "nvidia-smi", "read": "-"}]},
    )

    assert ["safe"] == ids(without_risk(prescribed(problem, a_situation())))
