from __future__ import annotations

import pytest
from pydantic import ValidationError

from bot.catalog.problem import Cause, Condition


def test_a_list_of_conditions_means_all_of_them():
    listed = Condition.model_validate([{"lora": True}, {"max_num_seqs": {"above": 8}}])

    assert [("lora", "is", True), ("max_num_seqs", "above", 8)] == [
        (part.test.name, part.test.op, part.test.value) for part in listed.all if part.test
    ]


def test_a_pattern_to_match_must_be_one():
    with pytest.raises(ValidationError, match="no regular expression"):
        Condition.model_validate({"model": {"matches": "(qwen"}})


def test_a_test_has_one_operation():
    with pytest.raises(ValidationError, match="one operation"):
        Condition.model_validate({"max_num_seqs": {"above": 8, "below": 16}})


def test_a_cause_without_a_condition_is_certain():
    cause = {"id": "a", "title": "A", "because": "B"}

    assert Cause.model_validate(cause).is_certain
    assert not Cause.model_validate({**cause, "when": {"lora": True}}).is_certain
