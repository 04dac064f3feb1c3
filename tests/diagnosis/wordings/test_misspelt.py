"""Words with a letter too few or too many."""

from __future__ import annotations

import pytest

from bot.diagnosis.wordings.misspelt import key_terms, respell
from tests.diagnosis.conftest import PROBLEMS

TERMS = ("divisible", "throughput")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not divisble by 3", "not divisible by 3"),
        ("the thoughput is low", "the throughput is low"),
        ("not divisible by 3", "not divisible by 3"),
        ("a division by zero throughout", "a division by zero throughout"),
        ("", ""),
    ],
)
def test_a_long_word_that_is_a_letter_off_is_respelt(text: str, expected: str):
    assert expected == respell(text, TERMS)


def test_the_terms_are_whole_words_of_descriptions_and_classes():
    terms = key_terms(PROBLEMS)

    assert "throughput" in terms
    assert all(term.isalpha() and len(term) >= 8 for term in terms)
