"""Words with two letters swapped."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.swapped import put_right


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("vllm rnus out of mmeory", "vllm runs out of memory"),
        ("it hnags at startpu", "it hangs at startup"),
        ("it gneerates gibbersih", "it generates gibberish"),
        ("solw, what is wrnog", "slow, what is wrong"),
        ("the servre crashse", "the server crashes"),
    ],
)
def test_two_swapped_letters_are_put_right(written: str, meant: str):
    assert meant == put_right(written)


@pytest.mark.parametrize(
    "text",
    [
        "boost it, reset it, alter it, form a crate",
        "org/mmeory-7b and /data/mmeory and mmeory.py and --mmeory-x",
        "there are three of them",
        "steitg",  # "steigt" or "stetig"
        "",
    ],
)
def test_words_names_and_paths_stay(text: str):
    assert text == put_right(text)


def test_every_letter_keeps_its_place():
    text = "the mmeory is all taken, the servre hnags"

    assert len(text) == len(put_right(text))
