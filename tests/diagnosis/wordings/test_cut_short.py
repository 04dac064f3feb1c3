"""A message that the paste ends in."""

from __future__ import annotations

import pytest

from bot.diagnosis.wordings.cut_short import find_cut, find_cut_within
from tests.diagnosis.conftest import PROBLEMS
from tests.diagnosis.makers import lines_of


def cut(text: str) -> list[str]:
    return [match.problem.id for match in find_cut(PROBLEMS, lines_of(text))]


@pytest.mark.parametrize("end", ["", "...", " …", "\n\n"])
def test_an_exception_cut_at_the_end_is_what_it_began_with(end: str):
    assert ["no-cache"] == cut(f"it fails\nValueError: No available memory for{end}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ValueError: No avail",
        "No available memory for",
        "ValueError: No available memory for\nand more",
        "ValueError: No available disks for it",
    ],
    ids=["nothing", "too short", "no exception", "not at the end", "another message"],
)
def test_what_is_no_cut_message_is_none(text: str):
    assert [] == cut(text)


def test_a_beginning_of_two_messages_tells_neither():
    twin = PROBLEMS[1].model_copy(update={"id": "twin"})

    assert () == find_cut([*PROBLEMS, twin], lines_of("ValueError: No available memory for"))


@pytest.mark.parametrize("below", ["", "\nwhat is it?", "\nand more\nand more"])
def test_a_message_cut_at_the_end_of_any_line_is_what_it_began_with(below: str):
    lines = lines_of(f"it says, as far as I see: No available memory for the{below}")

    assert ["no-cache"] == [match.problem.id for match in find_cut_within(PROBLEMS, lines)]


@pytest.mark.parametrize(
    "text",
    [
        "it says No available mem\nwhy",
        "No available memory for the time being\nwhy",
        "No available memory for the\tlot",
    ],
    ids=["too short", "another end", "more behind it"],
)
def test_what_goes_on_otherwise_is_no_cut_message(text: str):
    assert () == find_cut_within(PROBLEMS, lines_of(text))


@pytest.mark.parametrize(
    "cut_at",
    [
        "16.00 GiB KV cache is needed, which is larger",
        "16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.1",
    ],
)
def test_what_varies_in_a_message_may_stand_before_the_cut(cut_at: str):
    lines = lines_of(f"ValueError: models's max seq len (131072), ({cut_at}\nwhat now?")

    assert ["cache-too-small"] == [match.problem.id for match in find_cut_within(PROBLEMS, lines)]


def test_a_whole_message_is_not_cut():
    assert () == find_cut_within(PROBLEMS, lines_of("error: No available memory for the cache blocks"))


def test_a_line_of_two_messages_beginnings_tells_neither():
    twin = PROBLEMS[1].model_copy(update={"id": "twin"})

    assert () == find_cut_within([*PROBLEMS, twin], lines_of("error: No available memory for the cache"))
