"""Three-valued logic over facts and amounts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.catalog.problem import Condition
from bot.deployment import Deployment, read_version
from bot.diagnosis.conditions import weigh
from bot.units import Bytes
from tests.diagnosis.conftest import NO_CACHE
from tests.diagnosis.makers import a_hit, a_situation

TRUE: dict[str, Any] = {"max_model_len": {"above": 1}}
FALSE: dict[str, Any] = {"max_model_len": {"below": 1}}
UNKNOWN: dict[str, Any] = {"max_num_seqs": {"above": 1}}
HERE = a_situation(max_model_len=100)


def truth(raw: Any, **facts: Any) -> bool | None:
    return weigh(Condition.model_validate(raw), a_situation(**facts) if facts else HERE).truth


VALUES = {True: TRUE, False: FALSE, None: UNKNOWN}
TRUTHS = st.sampled_from([True, False, None])


def negated(value: bool | None) -> bool | None:
    return None if value is None else not value


@given(TRUTHS, TRUTHS)
def test_all_is_the_least_of_its_parts(one: bool | None, other: bool | None):
    order = [False, None, True]

    assert order[min(order.index(one), order.index(other))] == truth([VALUES[one], VALUES[other]])


@given(TRUTHS, TRUTHS)
def test_any_is_the_greatest_of_its_parts(one: bool | None, other: bool | None):
    order = [False, None, True]

    assert order[max(order.index(one), order.index(other))] == truth({"any": [VALUES[one], VALUES[other]]})


@given(st.lists(TRUTHS, min_size=1, max_size=4))
def test_none_is_all_of_the_negations(values: list[bool | None]):
    nothing = truth({"none": [VALUES[value] for value in values]})

    assert truth([{"none": [VALUES[value]]} for value in values]) == nothing


@given(st.lists(TRUTHS, min_size=1, max_size=4))
def test_none_is_not_any(values: list[bool | None]):
    parts = [VALUES[value] for value in values]

    assert negated(truth({"any": parts})) == truth({"none": parts})


@given(TRUTHS, TRUTHS, TRUTHS)
def test_to_learn_a_fact_never_turns_a_verdict_round(one: bool | None, other: bool | None, third: bool | None):
    condition = {"any": [[VALUES[one], VALUES[other]], {"none": [VALUES[third]]}]}
    before = truth(condition, max_model_len=100)
    after = truth(condition, max_model_len=100, max_num_seqs=5)

    assert before is None or before is after


def test_an_empty_condition_holds():
    assert truth({}) is True


def test_what_is_unknown_is_named():
    assert ("max_num_seqs",) == weigh(Condition.model_validate([TRUE, UNKNOWN]), HERE).waits_for


def test_a_false_part_waits_for_nothing():
    assert () == weigh(Condition.model_validate([FALSE, UNKNOWN]), HERE).waits_for


@pytest.mark.parametrize(
    ("claim", "facts", "expected"),
    [
        ({"kv_available": {"below": "1 GiB"}}, {"kv_available": Bytes.mib(512)}, True),
        ({"gpu_memory_utilization": {"at_most": "0.90"}}, {"gpu_memory_utilization": 0.9}, True),
        ({"max_model_len": {"above": "32K"}}, {"max_model_len": 32_769}, True),
        ({"max_model_len": {"above": "derived_max_model_len"}}, {"max_model_len": 9, "derived_max_model_len": 8}, True),
        ({"max_model_len": {"above": "derived_max_model_len"}}, {"max_model_len": 9}, None),
        ({"vllm_version": {"since": "0.11"}}, {"vllm_version": read_version("0.11.0")}, True),
        ({"vllm_version": {"until": "0.10.2"}}, {"vllm_version": read_version("0.11.0")}, False),
        ({"kv_cache_dtype": "FP8"}, {"kv_cache_dtype": "fp8"}, True),
        ({"kv_cache_dtype": {"is_not": "auto"}}, {"kv_cache_dtype": "fp8"}, True),
        ({"quantization": {"in": ["awq", "gptq"]}}, {"quantization": "AWQ"}, True),
        ({"quantization": {"not_in": ["awq"]}}, {"quantization": "fp8"}, True),
        ({"model": {"matches": "llama.*8b"}}, {"model": "meta-llama/Llama-3.1-8B"}, True),
        ({"enforce_eager": "true"}, {"enforce_eager": True}, True),
        ({"enforce_eager": {"known": False}}, {"max_model_len": 1}, True),
        ({"enforce_eager": {"known": True}}, {"max_model_len": 1}, False),
        ({"max_model_len": {"above": "no number"}}, {"max_model_len": 1}, None),
        ({"model": {"above": 3}}, {"model": "m"}, None),
    ],
)
def test_a_claim_about_a_fact(claim: Any, facts: dict[str, Any], expected: bool | None):
    assert truth(claim, **facts) is expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [({"problem": "no-cache"}, True), ({"problem": "other"}, False), ({"wording": "no-blocks"}, True)],
)
def test_a_claim_about_what_else_is_in_the_paste(raw: Any, expected: bool):
    situation = a_situation(Deployment(), a_hit(NO_CACHE))

    assert weigh(Condition.model_validate(raw), situation).truth is expected


def test_a_claim_that_stands_shows_the_line_it_was_read_from():
    assert [1] == [line.number for line in weigh(Condition.model_validate(TRUE), HERE).lines]


def test_of_two_alternatives_that_hold_the_first_is_shown():
    both = {"any": [{"problem": "no-cache"}, {"max_model_len": {"above": 1}}]}
    situation = a_situation(Deployment(), a_hit(NO_CACHE, line=7), max_model_len=100)

    assert [7] == [line.number for line in weigh(Condition.model_validate(both), situation).lines]


def test_a_text_is_no_number_that_looks_like_it():
    assert truth({"quantization": {"is": 8}}, quantization="fp8") is False


def test_an_amount_is_known_as_soon_as_it_can_be_worked_out():
    total = Bytes.gib(22)

    assert truth({"allowance": {"known": True}}, total=total, gpu_memory_utilization=0.9) is True
    assert truth({"allowance": {"known": True}}, total=total) is False
