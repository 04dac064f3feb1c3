"""What a command must run into."""

from __future__ import annotations

from typing import Literal

import pytest

from bot.catalog.problem import Problem
from bot.deployment import Deployment
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.foretell import foretell
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.recognise import SILENCE, Recognised
from tests.diagnosis.makers import evidence_of


def a_problem(name: str) -> Problem:
    return Problem.model_validate(
        {"id": name, "title": name, "summary": name, "wordings": [{"id": "w", "pattern": "some words"}]}
    )


KNOWN = {name: a_problem(name) for name in ("tp-heads-not-divisible", "kv-cache-too-small-for-max-len")}


def foretold(
    deployment: Deployment, text: str = "it does not start", concern: Literal["none", "told", "asked"] = "asked"
) -> list[str]:
    recognised = Recognised(concern=concern)
    return [
        match.problem.id for match in foretell(look_into(evidence_of(text), deployment, ()), recognised, KNOWN).matches
    ]


def test_a_command_that_vllm_refuses_names_its_problem(served: Deployment):
    assert "tp-heads-not-divisible" in foretold(served.with_(tensor_parallel=3), concern="told")


def test_a_check_that_must_fail_names_its_problem(served: Deployment):
    assert ["kv-cache-too-small-for-max-len"] == foretold(served)


@pytest.mark.parametrize(
    ("text", "concern"), [("it is slow", "asked"), ("it does not start", "told"), ("it does not start", "none")]
)
def test_other_trouble_is_not_explained_by_the_budget(
    served: Deployment, text: str, concern: Literal["none", "told", "asked"]
):
    assert [] == foretold(served, text, concern)


def test_what_was_recognised_stays(served: Deployment):
    found = Recognised("exact", is_for_us=True, matches=())

    assert SILENCE == foretell(look_into(evidence_of(), served, ()), SILENCE, KNOWN)
    assert found == foretell(look_into(evidence_of(), served, ()), found, KNOWN)


HINTED = Match(problem=KNOWN["kv-cache-too-small-for-max-len"], wording=None, line=None, is_exact=False)
PRINTED = HINTED._replace(wording=HINTED.problem.wordings[0])


@pytest.mark.parametrize(
    ("text", "match", "first"),
    [
        ("it crashes at once", HINTED, "tp-heads-not-divisible"),
        ("it is slow", HINTED, "kv-cache-too-small-for-max-len"),
        ("it crashes at once", PRINTED, "kv-cache-too-small-for-max-len"),
    ],
)
def test_what_vllm_refuses_by_rule_comes_before_what_words_only_hint_at(
    served: Deployment, text: str, match: Match, first: str
):
    situation = look_into(evidence_of(text), served.with_(tensor_parallel=3), ())
    recognised = Recognised("alike", (match,), is_for_us=True)

    assert first == foretell(situation, recognised, KNOWN).matches[0].problem.id
