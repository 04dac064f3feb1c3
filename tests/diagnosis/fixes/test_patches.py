"""Fixes as patches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.catalog.problem import Fix
from bot.deployment import Deployment
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.fixes.patches import patch_of, round_length
from bot.diagnosis.situation import Situation
from bot.units import Bytes
from tests.diagnosis.makers import a_situation, evidence_of


def a_fix(**values: object) -> Fix:
    return Fix.model_validate({"id": "f", "title": "A fix", "set": values})


@pytest.fixture
def sized(served: Deployment) -> Situation:
    return look_into(
        evidence_of(weights=Bytes.gib(14.99), kv_available=Bytes.gib(4.13), total=Bytes.gib(22.03)), served, ()
    )


def test_texts_of_the_knowledge_become_values_of_their_type(sized: Situation):
    patch = patch_of(a_fix(gpu_memory_utilization="0.95", enforce_eager="true"), sized)

    assert patch is not None
    assert {"gpu_memory_utilization": 0.95, "enforce_eager": True} == patch.values


def test_an_amount_is_worked_out_on_the_deployment_as_it_then_is(sized: Situation):
    alone = patch_of(a_fix(max_model_len="longest_context"), sized)
    halved = patch_of(a_fix(max_model_len="longest_context", kv_cache_dtype="fp8"), sized)

    assert alone is not None
    assert halved is not None
    assert (32_768, 65_536) == (alone.values["max_model_len"], halved.values["max_model_len"])


def test_the_sentence_gets_the_value_that_the_command_gets(sized: Situation):
    patch = patch_of(a_fix(max_model_len="longest_context"), sized)

    assert patch is not None
    assert {"longest_context": 32_768} == patch.used


def test_a_new_layout_needs_as_many_gpus(sized: Situation):
    patch = patch_of(a_fix(tensor_parallel="4"), sized)

    assert patch is not None
    assert 4 == patch.after.gpu_count


def test_what_is_changed_is_compiled_anew():
    served = Deployment(model="org/m", compile_cache="warm")
    patch = patch_of(a_fix(max_model_len="8192"), a_situation(served))

    assert patch is not None
    assert patch.after.compile_cache is None


def test_a_largest_graph_stands_for_the_sizes_that_were_listed():
    """vLLM 0.11.1 `config/vllm.py` refuses both where they differ."""
    served = Deployment(model="org/m", cudagraph_capture_sizes=(1, 512))
    patch = patch_of(a_fix(max_cudagraph_capture_size="128"), a_situation(served))

    assert patch is not None
    assert (128, None) == (patch.after.max_cudagraph_capture_size, patch.after.cudagraph_capture_sizes)


def test_stages_need_gpus_of_their_own(sized: Situation):
    patch = patch_of(a_fix(tensor_parallel="2", pipeline_parallel="3"), sized)

    assert patch is not None
    assert 6 == patch.after.gpu_count


@pytest.mark.parametrize(
    "values",
    [{"max_model_len": "most_sequences"}, {"max_model_len": "many"}, {"no_such_fact": "1"}],
    ids=["unknown amount", "no value", "no fact"],
)
def test_what_cannot_be_worked_out_is_no_patch(values: dict[str, str]):
    assert patch_of(a_fix(**values), a_situation()) is None


def test_room_that_is_made_is_not_spent_on_more_than_was_asked_for(served: Deployment):
    short = look_into(
        evidence_of(weights=Bytes.gib(14.99), kv_available=Bytes.gib(4.13)), served.with_(max_model_len=4096), ()
    )

    more, alone = (
        patch_of(fix, short)
        for fix in (
            a_fix(max_model_len="longest_context", gpu_memory_utilization="0.95"),
            a_fix(max_model_len="longest_context"),
        )
    )

    dropping = Fix.model_validate(
        {"id": "f", "title": "A fix", "set": {"max_model_len": "longest_context"}, "unset": ["kv_cache_dtype"]}
    )
    fp8 = replace(short, deployment=short.deployment.with_(kv_cache_dtype="fp8"))
    less = patch_of(dropping, fp8)

    assert more
    assert alone
    assert less
    assert 4096 == more.values["max_model_len"] == less.values["max_model_len"] < alone.values["max_model_len"]


def test_an_amount_is_worked_out_on_what_the_ones_before_it_lead_to(sized: Situation):
    one, two = (
        patch_of(fix, sized)
        for fix in (a_fix(max_model_len="longest_context"), a_fix(tensor_parallel="2", max_model_len="longest_context"))
    )

    assert one
    assert two
    assert two.values["max_model_len"] > 2 * one.values["max_model_len"]


def test_a_length_that_vllm_fits_leaves_the_stated_one_out(served: Deployment):
    long = look_into(evidence_of(), served.with_(max_model_len=131_072), ())
    patch = patch_of(a_fix(auto_max_model_len="true"), long)

    assert patch
    assert (None, True) == (patch.after.max_model_len, patch.after.auto_max_model_len)


def test_dropping_a_setting_is_a_patch_where_it_was_made(served: Deployment):
    drop = Fix.model_validate({"id": "f", "title": "A fix", "unset": ["kv_cache_dtype"]})
    with_it, without = (look_into(evidence_of(), each, ()) for each in (served.with_(kv_cache_dtype="fp8"), served))
    patch = patch_of(drop, with_it)

    assert patch
    assert patch.after.kv_cache_dtype is None
    assert patch_of(drop, without) is None


def test_what_is_so_already_is_no_patch(sized: Situation):
    assert patch_of(a_fix(gpu_memory_utilization="0.9"), sized) is None


def test_what_vllm_printed_itself_needs_no_budget():
    patch = patch_of(a_fix(max_model_len="longest_context"), a_situation(estimated_max_len=33_808))

    assert patch is not None
    assert patch.is_logged


@pytest.mark.parametrize(
    ("tokens", "rounded"), [(33_808, 32_768), (28_816, 28_672), (5_632, 5_632), (1_300, 1_280), (40, 32)]
)
def test_a_context_is_rounded_down_to_what_people_write(tokens: int, rounded: int):
    assert rounded == round_length(tokens)


def test_a_fact_may_take_the_value_of_another(served: Deployment):
    situation = look_into(evidence_of(), served.with_(max_model_len=4096, max_num_batched_tokens=2048), ())
    patch = patch_of(a_fix(max_num_batched_tokens="max_model_len"), situation)

    assert patch
    assert {"max_num_batched_tokens": 4096} == patch.values
