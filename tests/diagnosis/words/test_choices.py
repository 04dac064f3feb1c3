"""Questions after a choice, and after what happens."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.choices import asks_for_a_reason


@pytest.mark.parametrize(
    "text",
    [
        "Why did you settle on 0.85 for the share?",
        "I'd like to understand why it is not safe to take 97 %",
        "What is the rationale behind reserving a tenth?",
        "Is there a reason for this and not 0.95?",
        "why does the chart set 64?",
        "为什么选择 0.8 的比例",
        "Warum habt ihr nur 0.7 gewählt?",
        "Pourquoi avez-vous choisi 0.7 ?",
    ],
)
def test_some_ask_why_others_chose_a_setting(text: str):
    assert asks_for_a_reason(text)


@pytest.mark.parametrize(
    "text",
    [
        "Why does vLLM take 90 % of the card?",
        "what's the reason vLLM takes 22 GB?",
        "why is my card full",
        "显存为什么满了",
        "",
    ],
)
def test_others_ask_why_something_happens(text: str):
    assert not asks_for_a_reason(text)
