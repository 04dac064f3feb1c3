"""All but one part of a description."""

from __future__ import annotations

import pytest

from bot.catalog.problem import Problem, Sample, Wording
from bot.diagnosis.wordings import hinted
from bot.diagnosis.wordings.hinted import find_hinted
from tests.diagnosis.makers import lines_of


def a_problem(name: str, pattern: str, sample: str) -> Problem:
    wording = Wording(id="w", pattern=pattern, kind="description", scope="paste")
    return Problem(id=name, title="t", summary=("s",), wordings=(wording,), samples=(Sample(text=sample, wording="w"),))


PROBLEMS = (
    a_problem("nodes", r"two nodes … \bgloo\b … <crashes>", "two nodes, gloo fails"),
    a_problem("adapter", r"\badapter\b … \brank\b … <crashes>", "the adapter of rank 64 fails"),
    a_problem("images", r"\bimages?\b … <out-of-memory>", "an image and it is out of memory"),
)


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch):
    """Three samples tell little of how common a word is, so less is asked of what is said."""
    monkeypatch.setattr(hinted, "LEAST_TOLD", 1.0)


def found(text: str) -> list[str]:
    return [match.problem.id for match in find_hinted(PROBLEMS, lines_of(text))]


def test_one_part_may_be_missing():
    assert ["nodes"] == found("gloo and our two nodes")
    assert ["adapter"] == found("an adapter with a rank")


def test_a_long_word_may_be_misspelt():
    heads = a_problem("heads", r"\bheads?\b … divisible … <crashes>", "the heads are not divisible, it fails")

    assert ["heads"] == [match.problem.id for match in find_hinted([*PROBLEMS, heads], lines_of("heads not divisble"))]


def test_two_parts_may_not():
    assert [] == found("gloo")


def test_what_is_said_must_be_half_of_what_the_description_tells():
    assert [] == found("it fails")


def test_several_that_come_near_are_none():
    assert [] == found("gloo on two nodes, an adapter with a rank")


def test_a_hint_is_no_exact_match():
    match = find_hinted(PROBLEMS, lines_of("gloo and our two nodes"))[0]

    assert (False, True) == (match.is_exact, 50 < match.similarity < 100)


def test_nothing_said_hints_at_nothing():
    assert () == find_hinted(PROBLEMS, ())


def test_memory_that_did_not_run_out_is_no_part_that_may_be_missing():
    pages = a_problem("pages", r"after \d+ pages of adapters … <oom>", "it is out of memory after 9 pages of adapters")

    assert () == find_hinted([*PROBLEMS, *PROBLEMS, pages], lines_of("after 9 pages of adapters"))
