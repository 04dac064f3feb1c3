"""One scanner a knowledge base."""

from __future__ import annotations

from bot.catalog.load import Knowledge
from bot.diagnosis.wordings.scanners import scanner_of
from tests.diagnosis.conftest import FLAGS, PROBLEMS


def test_a_knowledge_base_has_one_scanner(knowledge: Knowledge):
    assert scanner_of(knowledge) is scanner_of(knowledge)


def test_another_knowledge_base_has_its_own(knowledge: Knowledge):
    others = [Knowledge({problem.id: problem for problem in PROBLEMS}, FLAGS) for _ in range(6)]
    scanners = [scanner_of(other) for other in others]

    assert len(set(map(id, scanners))) == len(others)
    assert scanner_of(knowledge) is scanner_of(knowledge)
