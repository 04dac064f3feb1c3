"""Likeness, where nothing matched."""

from __future__ import annotations

import pytest

from bot.diagnosis.wordings.alike import find_alike, fold
from bot.evidence import Line
from tests.diagnosis.conftest import PROBLEMS
from tests.diagnosis.makers import lines_of


def alike(text: str) -> list[str]:
    return [match.problem.id for match in find_alike(PROBLEMS, lines_of(text))]


@pytest.mark.parametrize(
    "text",
    [
        "Va1ueError: No avai1able rnernory for the cache b1ocks",
        "error: no availble memory for the cache bloks",
        "ERR0R N0 AVAILABLE MEM0RY F0R THE CACHE BL0CKS.",
    ],
)
def test_a_damaged_message_looks_like_its_problem(text: str):
    assert ["no-cache"] == alike(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thanks",
        "error: connection to server at db failed",
        "java.lang.OutOfMemoryError: Java heap space",
        "memory",
        "failed " * 400,
    ],
)
def test_other_errors_look_like_nothing(text: str):
    assert [] == alike(text)


def test_an_info_record_is_no_error():
    line = Line(number=1, text="No availabl memory for the cache blocks", level="INFO")

    assert () == find_alike(PROBLEMS, [line])


def test_two_that_are_equally_like_are_no_answer():
    twin = PROBLEMS[1].model_copy(update={"id": "twin"})

    assert () == find_alike([*PROBLEMS, twin], lines_of("no availble memory for the cache bloks"))


def test_likeness_is_said_to_be_likeness():
    (match,) = find_alike(PROBLEMS, lines_of("no availble memory for the cache bloks"))

    assert not match.is_exact
    assert 84 <= match.similarity <= 100


def test_look_alike_characters_are_one():
    assert fold("rnax_modeI_1en 32") == fold("max_model_len 3Z")


def test_a_text_that_two_problems_hold_tells_neither():
    shared = (
        PROBLEMS[1]
        .wordings[0]
        .model_copy(update={"pattern": "no memory was left anywhere … capturing all of the graphs", "scope": "paste"})
    )
    other = shared.model_copy(update={"pattern": "no memory was left anywhere … loading all of the weights"})
    problems = [
        PROBLEMS[1].model_copy(update={"id": name, "wordings": (wording,)})
        for name, wording in (("graphs", shared), ("weights", other))
    ]

    assert () == find_alike(problems, lines_of("error: no memory was left anywhare"))


def test_a_short_sentence_of_common_words_is_like_nothing():
    common = PROBLEMS[1].wordings[0].model_copy(update={"pattern": "mxfp4 is not supported"})

    assert () == find_alike(
        [PROBLEMS[1].model_copy(update={"wordings": (common,)})], lines_of("ValueError: Marlin W8A8 is not supported.")
    )


def test_what_any_program_may_print_is_like_nothing():
    bare = PROBLEMS[1].wordings[0].model_copy(update={"weight": 3})

    assert () == find_alike(
        [PROBLEMS[1].model_copy(update={"wordings": (bare,)})], lines_of("no availble memory for the cache bloks")
    )
