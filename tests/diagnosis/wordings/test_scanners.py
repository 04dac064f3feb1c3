"""One scanner a knowledge base."""

from __future__ import annotations

import pytest

from bot.catalog.load import Knowledge, KnowledgeError, load_knowledge
from bot.diagnosis.wordings.scanners import hits_in, make_ready, scanner_of
from tests.diagnosis.conftest import FLAGS, PROBLEMS
from tests.diagnosis.makers import lines_of


def test_a_knowledge_base_has_one_scanner(knowledge: Knowledge):
    assert scanner_of(knowledge) is scanner_of(knowledge)


def test_another_knowledge_base_has_its_own(knowledge: Knowledge):
    others = [Knowledge({problem.id: problem for problem in PROBLEMS}, FLAGS) for _ in range(6)]
    scanners = [scanner_of(other) for other in others]

    assert len(set(map(id, scanners))) == len(others)
    assert scanner_of(knowledge) is scanner_of(knowledge)


@pytest.mark.parametrize("use", [make_ready, lambda knowledge: hits_in(knowledge, lines_of("a line"))])
def test_a_pattern_that_is_none_is_named_with_its_file_line_and_field(use):
    whole = load_knowledge()
    problem = whole.problems["port-in-use"]
    bad = problem.wordings[0].model_copy(update={"pattern": "(never closed again"})
    broken = problem.model_copy(update={"wordings": (bad, *problem.wordings[1:])})

    with pytest.raises(KnowledgeError) as caught:
        use(Knowledge({**whole.problems, "port-in-use": broken}, whole.flags))

    assert ("port-in-use.yaml", "wordings.0.pattern") == (caught.value.path.name, caught.value.field)
    assert caught.value.line > 1
    assert "is no regular expression" in caught.value.sentence
