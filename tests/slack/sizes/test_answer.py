"""What /vllm-size answers."""

from __future__ import annotations

import json

import pytest

from bot.slack.sizes.answer import Wish, shared, size_reply

SECRET = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z"


@pytest.mark.parametrize("typed", ["HF_TOKEN=hf_{}", "--hf-token {}", "https://me:{}@hub.example/m"])
def test_neither_the_words_nor_the_buttons_hold_a_secret(typed: str) -> None:
    wish = Wish(text=f"qwen3-8b on L4 {typed.format(SECRET)}")

    said = json.dumps([size_reply(wish).blocks, shared(wish).blocks])

    assert SECRET not in said
    assert "KV cache" in said
