"""Causes and their sentences."""

from __future__ import annotations

import pytest

from bot.catalog.problem import Cause
from bot.diagnosis.causes import first_standing, judge, judge_causes, say, show
from bot.units import Bytes
from tests.diagnosis.conftest import TOO_SMALL
from tests.diagnosis.makers import a_situation


def a_cause(**facts: object) -> Cause:
    return Cause.model_validate({"id": "c", "title": "A cause", "because": "Because.", **facts})


def test_a_cause_without_a_condition_stands():
    assert "stands" == judge(a_cause(), a_situation()).verdict


def test_a_cause_waits_for_what_is_unknown():
    verdict = judge(a_cause(when={"max_num_seqs": {"above": 1}}), a_situation())

    assert ("waits", ("max_num_seqs",)) == (verdict.verdict, verdict.waits_for)


def test_a_cause_that_stands_shows_the_lines_that_made_it_so():
    verdict = judge(a_cause(when={"max_model_len": {"above": 1}}), a_situation(max_model_len=5))

    assert ("stands", [1]) == (verdict.verdict, [line.number for line in verdict.lines])


def test_standing_causes_come_first():
    verdicts = judge_causes(TOO_SMALL, a_situation(estimated_max_len=10, max_model_len=20))

    assert ["context-too-long", "neighbour"] == [verdict.cause.id for verdict in verdicts]
    assert first_standing(verdicts) is verdicts[0]


def test_the_first_text_whose_placeholders_are_known_is_said():
    texts = ("{kv_needed} of {kv_available}", "{kv_needed} for {max_model_len} tokens", "It is too long.")

    assert "16.00 GiB for 131,072 tokens" == say(texts, a_situation(kv_needed=Bytes.gib(16), max_model_len=131_072))
    assert "It is too long." == say(texts, a_situation())


def test_nothing_is_said_when_nothing_is_known():
    assert "" == say(("{kv_needed}",), a_situation())


def test_what_a_patch_worked_out_goes_before_the_case():
    assert "8,192" == say(("{longest_context}",), a_situation(estimated_max_len=9_000), {"longest_context": 8_192})


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (131_072, "131,072"),
        (0.95, "0.95"),
        (2.0, "2"),
        ((41877,), "41877"),
        ("fp8", "fp8"),
    ],
)
def test_a_value_is_shown_as_people_read_it(value: object, shown: str):
    assert shown == show(value)
