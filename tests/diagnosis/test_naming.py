from __future__ import annotations

from typing import Any

import pytest

from bot.catalog.load import Knowledge
from bot.catalog.problem import Problem
from bot.diagnosis.naming import names
from tests.diagnosis.conftest import NO_CACHE


def complaints(knowledge: Knowledge, **changes: Any) -> list[str]:
    content = NO_CACHE.model_dump(mode="json", exclude_defaults=True)
    return [str(complaint) for complaint in names(Problem.model_validate({**content, **changes}), knowledge)]


def a_cause(**fields: Any) -> list[dict[str, Any]]:
    return [{"id": "why", "title": "Why", "because": "So.", **fields}]


def a_fix(**fields: Any) -> list[dict[str, Any]]:
    return [{"id": "shorter", "title": "Serve less", "set": {"max_model_len": "longest_context"}, **fields}]


def test_a_file_whose_names_all_exist_has_no_complaint(knowledge: Knowledge):
    assert [] == complaints(knowledge, causes=a_cause(fixes=["shorter"]), fixes=a_fix())


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"questions": ["colour"]}, "questions: 'colour' is no fact; knowledge/README.md lists them"),
        ({"outranks": ["nobody"]}, "outranks: 'nobody' is no problem"),
        ({"causes": a_cause(fixes=["longer"])}, "causes.why.fixes: 'longer' is no fix of this file"),
        (
            {"causes": a_cause(when={"mood": "bad"})},
            "causes.why.when: 'mood' is no fact or amount; knowledge/README.md lists them",
        ),
        ({"causes": a_cause(when={"wording": "other"})}, "causes.why.when: 'other' is no wording here"),
        ({"causes": a_cause(when={"problem": "other"})}, "causes.why.when: 'other' is no problem"),
        (
            {"causes": a_cause(when={"model": {"since": "0.8"}})},
            "causes.why.when: since compares versions; model is none, say at_least or at_most",
        ),
        (
            {"fixes": a_fix(set={"max_model_len": "longish"})},
            "fixes.shorter.set: 'longish' is neither a value of max_model_len nor the name of a fact or an amount",
        ),
        (
            {"causes": a_cause(because="{mood} it is")},
            "causes.why.because: 'mood' is no fact or amount; knowledge/README.md lists them",
        ),
        ({"fixes": a_fix(set={"colour": "red"})}, "fixes.shorter.set: 'colour' is no field of a deployment"),
        ({"fixes": [{"id": "idle", "title": "Wait"}]}, "fixes.idle: changes nothing; give it 'set' or 'steps'"),
    ],
)
def test_a_name_that_does_not_exist_is_told_with_its_place(
    knowledge: Knowledge, changes: dict[str, Any], complaint: str
):
    assert complaint in complaints(knowledge, **changes)


def test_what_is_compared_by_size_must_be_a_value(knowledge: Knowledge):
    (said,) = complaints(knowledge, causes=a_cause(when={"max_num_seqs": {"above": "many"}}))

    assert said.startswith("causes.why.when: 'many' is no value of max_num_seqs")


@pytest.mark.parametrize(
    "text", ["{model.__class__} it is", "{max_model_len tokens", "max_model_len} tokens", "{model!r}"]
)
def test_a_brace_that_holds_no_fact_is_told(knowledge: Knowledge, text: str):
    (said,) = complaints(knowledge, causes=a_cause(because=text))

    assert said.startswith("causes.why.because: ")


@pytest.mark.parametrize(
    "text", ['Set `{"image": 2}`.', 'Set {"image": 2}.', "A lone { stays", "{max_model_len} tokens"]
)
def test_code_and_facts_in_braces_are_fine(knowledge: Knowledge, text: str):
    assert [] == complaints(knowledge, causes=a_cause(because=text))


def test_what_is_never_below_zero_is_not_compared_with_less(knowledge: Knowledge):
    assert ["causes.why.when: allowance is never below 0, so at_least -1 GiB decides nothing"] == complaints(
        knowledge, causes=a_cause(when={"allowance": {"at_least": "-1 GiB"}})
    )
    assert [] == complaints(knowledge, causes=a_cause(when={"kv_room": {"below": "-1 GiB"}}))


def test_a_flag_of_ours_must_be_known(knowledge: Knowledge):
    steps = [{"run": "vllm serve m --never-heard-of | grep --count x", "read": "It starts."}]

    assert ["fixes.look: vLLM has no flag --never-heard-of that knowledge/flags knows"] == complaints(
        knowledge, fixes=[{"id": "look", "title": "Look", "steps": steps}]
    )
