"""What /vllm-size answers."""

from __future__ import annotations

import json

import pytest

from bot.hub.look_up import recall
from bot.slack.sizes.answer import details, in_thread, shared, size_reply
from bot.slack.sizes.wish import Wish
from tests.slack.conftest import texts

SECRET = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z"


@pytest.mark.parametrize("typed", ["HF_TOKEN=hf_{}", "--hf-token {}", "https://me:{}@hub.example/m"])
def test_neither_the_words_nor_the_buttons_hold_a_secret(typed: str) -> None:
    wish = Wish(text=f"qwen3-8b on L40S {typed.format(SECRET)}")

    said = json.dumps([size_reply(wish).blocks, shared(wish).blocks])

    assert SECRET not in said
    assert "KV cache" in said


def actions(blocks) -> list[str]:
    return [each["action_id"] for block in blocks if block["type"] == "actions" for each in block["elements"]]


def test_a_table_of_what_ifs_is_what_was_asked_for() -> None:
    said = size_reply(Wish(text="qwen3-14b on L40S --sweep max_model_len=8K,16K --sweep kv_cache_dtype=auto,fp8"))

    assert "4 of 4 combinations fit" == said.text
    assert "16,384" in texts(list(said.blocks))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("--sweep max_modle_len=8k", "did you mean max_model_len?"), ("--context none", "no whole number")],
)
def test_an_option_that_cannot_be_is_said_below_the_budget(typed: str, sentence: str) -> None:
    said = texts(list(size_reply(Wish(text=f"qwen3-8b on L40S {typed}")).blocks))

    assert "KV cache" in said
    assert sentence in said


def test_speed_and_people_are_shown_where_a_load_is_stated() -> None:
    plain, loaded = (
        texts(list(size_reply(Wish(text=f"qwen3-8b on L40S {more}")).blocks)) for more in ("", "--context 2K")
    )

    assert "How fast" not in plain
    assert "with 2,048 tokens each" in loaded


def test_details_have_speed_people_and_sources() -> None:
    said = texts(details(Wish(text="qwen3-8b on L40S")))

    assert "How fast, and for how many" in said
    assert "What the numbers rest on" in said


def test_details_of_a_table_have_what_it_leaves_out() -> None:
    said = texts(details(Wish(text="qwen3-8b on L40S --sweep max_model_len=8K,16K,1M")))

    assert "Longest context" in said
    assert "context 1,048,576" in said


def test_what_is_shared_has_a_picture_and_details() -> None:
    assert ["vt1:size:details", "vt1:size:draw"] == actions(shared(Wish(text="qwen3-8b on L40S")).blocks)


@pytest.mark.parametrize(("is_drawn", "pictures"), [(False, ["vt1:draw"]), (True, [])])
def test_in_a_thread_the_picture_is_asked_for_once(is_drawn: bool, pictures: list[str]) -> None:
    said = in_thread(Wish(text="qwen3-8b on L40S"), recall, is_drawn=is_drawn)

    assert ["vt1:size:details", *pictures] == actions(said.blocks)


def test_what_cannot_be_sized_has_nothing_to_draw_or_share() -> None:
    assert ["vt1:size:form"] == actions(size_reply(Wish(text="qwen3-8b")).blocks)


def test_what_is_refused_has_nothing_to_draw() -> None:
    assert "vt1:size:draw" not in actions(size_reply(Wish(text="qwen3-8b on 3xL4 -tp 3")).blocks)


def test_a_line_too_long_for_buttons_says_how_long_it_is_and_may_be() -> None:
    said = size_reply(Wish(text="qwen3-8b on L4 " + "--seed 1 " * 300))

    assert [] == actions(said.blocks)
    assert "Your line has 2,715 characters. Buttons for what-ifs and for sharing carry about 1,800" in texts(
        list(said.blocks)
    )
