"""Which problem stands first."""

from __future__ import annotations

from dataclasses import replace

from bot.catalog.problem import Problem, Wording
from bot.diagnosis.wordings.ranking import LEAST_SPECIFIC, independent, rank
from bot.diagnosis.wordings.search import Hit
from bot.evidence import Evidence, Failure
from tests.diagnosis.conftest import ENGINE_FAILED, LEFT_OVER, NO_CACHE, TOO_SMALL
from tests.diagnosis.makers import a_hit


def a_problem(name: str, weight: int = 10, **more: object) -> Problem:
    wording = Wording(id="w", pattern="some message", weight=weight)
    return Problem.model_validate({"id": name, "title": name, "summary": name, "wordings": [wording], **more})


def ids(*hits: Hit, evidence: Evidence | None = None) -> list[str]:
    return [match.problem.id for match in rank(hits, evidence or Evidence())]


def test_a_cause_goes_before_its_consequence_and_noise_last():
    hits = (a_hit(LEFT_OVER, 1), a_hit(ENGINE_FAILED, 2), a_hit(NO_CACHE, 3))

    assert ["no-cache", "engine-failed", "left-over"] == ids(*hits)


def test_a_problem_that_another_one_outranks_stands_behind_it():
    effect, reason = a_problem("effect", weight=90), a_problem("reason", outranks=["effect"])

    assert ["reason", "effect"] == ids(a_hit(effect), a_hit(reason))


def test_the_heavier_wording_goes_first():
    assert ["heavy", "light"] == ids(a_hit(a_problem("light", 10)), a_hit(a_problem("heavy", 20)))


def test_of_equal_wordings_the_more_specific_problem_goes_first():
    assert ["special", "general"] == ids(a_hit(a_problem("general")), a_hit(a_problem("special", specificity=80)))


def test_what_stands_earlier_goes_first_at_last():
    assert ["b", "a"] == ids(a_hit(a_problem("a"), 9), a_hit(a_problem("b"), 2))


def test_the_root_failure_goes_before_what_was_said_elsewhere():
    evidence = Evidence(failures=(Failure(message="it", line=5),))

    assert ["b", "a"] == ids(a_hit(a_problem("a"), 1), a_hit(a_problem("b"), 5), evidence=evidence)


def test_a_message_goes_before_a_description():
    wording = Wording(id="d", pattern="it is slow", kind="description", weight=90)
    described = Problem(id="described", title="d", summary="d", wordings=(wording,))

    assert ["cache-too-small", "described"] == ids(a_hit(described), a_hit(TOO_SMALL, 4))


def test_what_one_sentence_says_goes_before_what_several_do():
    wording = Wording(id="d", pattern="it is slow", kind="description")
    scattered, whole = (
        Problem(id=name, title="d", summary="d", wordings=(wording,)) for name in ("scattered", "whole")
    )
    hits = replace(a_hit(scattered, 1), is_whole=False), replace(a_hit(whole, 2), is_whole=True)

    assert ["whole", "scattered"] == ids(*hits)


def test_a_problem_that_matched_often_is_one_match():
    assert ["no-cache"] == ids(a_hit(NO_CACHE, 1), a_hit(NO_CACHE, 2))


def test_a_bare_exception_says_less_than_the_words_around_it():
    said = a_problem("told")
    described = said.model_copy(update={"wordings": (said.wordings[0].model_copy(update={"kind": "description"}),)})
    evidence = Evidence(failures=(Failure(message="it", line=1),))

    assert ["told", "bare"] == ids(a_hit(a_problem("bare", 3), 1), a_hit(described, 2), evidence=evidence)


def seen_beside(first: Problem, other: Problem) -> list[str]:
    problems = {problem.id: problem for problem in (first, other)}
    return [match.problem.id for match in independent(rank([a_hit(first), a_hit(other, 2)], Evidence()), problems)]


def test_a_problem_that_the_first_does_not_explain_is_one_of_its_own():
    assert ["other"] == seen_beside(a_problem("first", weight=30), a_problem("other", weight=20))


def test_an_effect_a_consequence_and_a_general_word_are_none():
    assert [] == seen_beside(a_problem("first", weight=30, outranks=["other"]), a_problem("other", weight=20))
    assert [] == seen_beside(a_problem("first", weight=30), a_problem("other", weight=20, role="consequence"))
    assert [] == seen_beside(a_problem("first", weight=30), a_problem("other", weight=LEAST_SPECIFIC - 1))
