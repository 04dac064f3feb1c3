"""Every problem file bears out its own claims."""

import pytest

from bot.catalog.load import Knowledge
from bot.catalog.places import KNOWLEDGE
from bot.proof import counter_proof, coverage, names, patterns, sample_proof

IDS = sorted(path.stem for path in (KNOWLEDGE / "problems").rglob("*.yaml"))


def test_there_are_problem_files():
    assert IDS


@pytest.mark.parametrize("name", IDS)
def test_every_name_in_the_file_exists(name: str, knowledge: Knowledge):
    assert [] == [*names(knowledge.problems[name], knowledge)]


@pytest.mark.parametrize("name", IDS)
def test_every_pattern_is_regular_linear_and_versioned(name: str, knowledge: Knowledge):
    assert [] == [*patterns(knowledge.problems[name])]


@pytest.mark.parametrize("name", IDS)
def test_every_wording_and_cause_has_a_sample(name: str, knowledge: Knowledge):
    assert [] == [*coverage(knowledge.problems[name])]


@pytest.mark.parametrize("name", IDS)
def test_every_sample_is_recognised_with_its_cause(name: str, knowledge: Knowledge):
    problem = knowledge.problems[name]

    assert [] == [found for sample in problem.samples for found in sample_proof(problem, sample, knowledge)]


@pytest.mark.parametrize("name", IDS)
def test_no_look_alike_is_taken_for_it(name: str, knowledge: Knowledge):
    problem = knowledge.problems[name]

    assert [] == [found for sample in problem.counter_samples for found in counter_proof(problem, sample, knowledge)]
