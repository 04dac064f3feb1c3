"""What is spelt like a name that nobody knows."""

import pytest

from bot.catalog.alike import close_cards, close_models, unlisted_letters


def test_the_name_with_one_letter_more_is_the_nearest():
    assert "openai/gpt-oss-120b" == close_models("gpt-oss-1200b")[0]


@pytest.mark.parametrize("word", ["server", "parrot-7b", "", "x"])
def test_most_words_are_like_no_model(word):
    assert () == close_models(word)


def test_the_boards_of_one_chip_are_alike():
    assert set(close_cards("Jetson Orin")) > {"Jetson Orin NX 16GB", "Jetson AGX Orin 64GB"}


@pytest.mark.parametrize("word", ["toaster", "ember 900"])
def test_a_word_is_like_no_card(word):
    assert () == close_cards(word)


@pytest.mark.parametrize(("name", "word"), [("L40X", "L40X"), ("2 x NVIDIA A30X", "A30X"), ("4090ti", "4090ti")])
def test_a_name_that_goes_on_behind_a_cards_is_not_listed(name, word):
    assert word == unlisted_letters(name)


@pytest.mark.parametrize("name", ["L40S", "L4s", "4090s", "A100X", "A100-SXM4-80GB", "H100NVL", "V100-32G", "MI300X"])
def test_a_plural_a_memory_and_a_form_factor_belong_to_a_listed_name(name):
    assert unlisted_letters(name) is None
