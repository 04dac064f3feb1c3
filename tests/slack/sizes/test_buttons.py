"""What can be pressed below a budget."""

from __future__ import annotations

import pytest

from bot.slack.sizes.buttons import private_buttons, what_ifs
from bot.slack.sizes.wish import Wish, outcome


def labels(text: str) -> list[str]:
    wish = Wish(text=text)
    return [label for label, _ in what_ifs(wish, outcome(wish))]


def test_a_smaller_cache_more_cards_a_shorter_context_and_a_table_are_tried_first() -> None:
    assert ["fp8 KV cache", "2 GPUs", "4,096 tokens", "Table"] == labels("qwen3-8b on L4 --max-model-len 8K")


@pytest.mark.parametrize(
    "text",
    ["qwen3-8b on L4 --kv-cache-dtype fp8", "bge-m3 on L4", "qwen3-8b on L4 --sweep max_model_len=8K"],
)
def test_no_cache_is_made_smaller_that_is_small_or_not_there_or_in_a_table(text: str) -> None:
    assert "fp8 KV cache" not in labels(text)


def test_a_table_has_shorter_contexts_on_as_many_cards_and_twice_as_many() -> None:
    wish = Wish(text="qwen3-8b on 2xL4 -tp 2 --max-model-len 8K")
    (table,) = (tried for label, tried in what_ifs(wish, outcome(wish)) if label == "Table")

    settings = [tuple(row.settings.values()) for row in outcome(table).rows]
    assert [(length, ranks) for length in (1024, 2048, 4096, 8192) for ranks in (2, 4)] == settings


def test_a_wish_too_long_for_a_button_has_none() -> None:
    wish = Wish(text="qwen3-8b on L4 " + "x" * 1_900)

    assert [] == private_buttons(wish, outcome(wish))


@pytest.mark.parametrize("more", [0, 600, 1_200, 1_600])
def test_all_buttons_together_carry_no_more_than_an_answer_may(more: int) -> None:
    wish = Wish(text="qwen3-8b on L4 " + "x" * more)
    elements = [element for row in private_buttons(wish, outcome(wish)) for element in row["elements"]]

    assert {"Details", "Change"} <= {element["text"]["text"] for element in elements}
    assert sum(len(element["value"]) for element in elements) <= 6_000
