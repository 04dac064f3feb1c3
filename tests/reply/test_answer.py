from __future__ import annotations

import json
from typing import Any

import pytest

from bot.reply.answer import answer
from tests.reply.cases import NO_BLOCKS, a_diagnosis


def said(**facts: str) -> dict[str, Any]:
    return answer(a_diagnosis(**facts))


def test_an_answer_is_json():
    assert said() == json.loads(json.dumps(said()))


def test_the_verdict_names_problem_and_cause():
    assert ("kv-cache-too-small-for-max-len", "cause", "exact", "high") == tuple(
        said()[key] for key in ("problem", "role", "match", "confidence")
    )
    assert said()["cause"] == said()["causes"][0]["id"]


def test_memory_carries_its_unit_in_the_name():
    assert 4.13 == said()["logged"]["kv_available_gib"]


def test_terms_carry_their_range_and_origin():
    weights = said()["budget"]["terms"][0]

    assert ("weights", 14.9889, True) == tuple(weights[key] for key in ("name", "gib", "measured"))
    assert weights["low_gib"] <= weights["gib"] <= weights["high_gib"]


def test_a_fix_says_what_it_sets_and_gives():
    (first, *_) = said()["fixes"]

    assert {"max_model_len": 32768} == first["set"]
    assert first["fits"]
    assert pytest.approx(1.03, abs=0.01) == first["concurrency"]


def test_a_cause_without_proof_is_none():
    assert answer(a_diagnosis(NO_BLOCKS))["cause"] is None


def test_versions_are_text_and_secrets_of_the_launch_stay_out():
    facts = said()["facts"]

    assert "0.11.0" == facts["vllm_version"]
    assert set() == set(facts) & {"environment", "other_arguments", "command"}


def test_what_nobody_knows_has_no_problem():
    assert (None, "none", None) == tuple(answer(a_diagnosis("thanks"))[key] for key in ("problem", "match", "budget"))
