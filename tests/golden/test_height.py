"""How tall a reply is in a thread: what it says must be seen without much scrolling."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from bot.reply import block_kit
from bot.reply.compose import compose
from bot.reply.shortening import shorten
from tests.golden.test_golden import CASES, diagnosis

TALLEST = 47  # lines
WIDTH = 60  # characters of prose that a thread shows in a line; of code it shows fewer


def wrapped(text: str, width: int = WIDTH) -> int:
    return sum(len(textwrap.wrap(line, width)) or 1 for line in text.split("\n"))


def words(element: dict[str, Any]) -> str:
    return "".join(run.get("text", "") for run in element["elements"])


def height(element: dict[str, Any]) -> int:
    """Return the lines of a block, or of a part of rich text."""
    match element["type"]:
        case "header":
            return wrapped(element["text"]["text"], WIDTH * 3 // 4)
        case "rich_text" | "rich_text_list":
            return sum(map(height, element["elements"]))
        case "rich_text_preformatted":
            return wrapped(words(element), WIDTH - 10)
        case "rich_text_section" | "rich_text_quote":
            return wrapped(words(element))
        case "context":
            return sum(wrapped(part["text"]) for part in element["elements"])
        case _:
            return 2  # a row of buttons


@pytest.mark.parametrize("case", CASES)
def test_a_reply_is_seen_without_much_scrolling(case: str):
    blocks = block_kit.render(shorten(compose(diagnosis(case))), "c1")

    assert TALLEST >= sum(map(height, [*blocks, block_kit.feedback("c1", has_details=True)]))
