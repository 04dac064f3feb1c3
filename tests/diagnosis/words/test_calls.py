"""Calls for help."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.calls import calls_for_help, tells_a_plight


@pytest.mark.parametrize(
    "said", ["How do I get around it", "help wanted!", "Why: unknown", "we still see it", "有人知道吗"]
)
def test_who_is_in_trouble_calls_for_help(said: str):
    assert calls_for_help(said, ())


@pytest.mark.parametrize("said", ["help wanted on implementing it", "Anyone who can review this", "the text names it"])
def test_who_wants_hands_or_eyes_does_not(said: str):
    assert not calls_for_help(said, ())


def test_a_form_for_those_in_trouble_is_a_call():
    assert calls_for_help("it ends", ["describe the bug"])
    assert not calls_for_help("it ends", ["purpose"])


@pytest.mark.parametrize("said", ["which one", "Mon: done", "please review", "their cards"])
def test_a_plain_sentence_tells_no_plight(said: str):
    assert not tells_a_plight(said)


@pytest.mark.parametrize(
    "said", ["which one?", "we tried both", "my cards", "production is down", "mon serveur", "我的卡", "ändert nichts"]
)
def test_a_question_and_what_befell_somebody_do(said: str):
    assert tells_a_plight(said)
