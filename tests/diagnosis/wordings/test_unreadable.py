"""Patterns that are none."""

from __future__ import annotations

from bot.catalog.problem import Problem
from bot.diagnosis.wordings.unreadable import unreadable


def a_problem(*patterns: str) -> Problem:
    wordings = [{"id": f"w{place}", "pattern": pattern} for place, pattern in enumerate(patterns)]
    return Problem.model_validate({"id": "p", "title": "P", "summary": "P", "wordings": wordings})


def test_each_pattern_that_is_none_is_told_with_its_place():
    ((place, fault),) = unreadable(a_problem("fine words here", "(never closed again"))

    assert 1 == place
    assert fault.startswith("is no regular expression")


def test_a_class_of_words_that_is_not_there_is_no_pattern():
    assert [0] == [place for place, _ in unreadable(a_problem("<nonsense-words> here"))]


def test_of_good_patterns_nothing_is_told():
    assert () == unreadable(a_problem("warming up sampler", r"exit code: \d+"))
