from __future__ import annotations

from datetime import timedelta

from bot.slack.known import Known
from tests.journal.makers import MONDAY

MINUTE = timedelta(minutes=1)


def test_an_answer_counts_for_a_while():
    known = Known[str](most=10, lasting=5 * MINUTE)
    known.keep("who", "Maya", MONDAY)

    assert ("Maya", None) == (known.get("who", MONDAY + 4 * MINUTE), known.get("who", MONDAY + 5 * MINUTE))


def test_what_never_changes_counts_for_ever():
    known = Known[str](most=10)

    assert "here" == known.keep("where", "here", MONDAY) == known.get("where", MONDAY + timedelta(days=9_000))


def test_no_is_an_answer():
    known = Known[bool](most=10)
    known.keep("may", answer=False, now=MONDAY)

    assert known.get("may", MONDAY) is False


def test_too_many_answers_are_forgotten_at_once():
    known = Known[int](most=2)
    for number in range(3):
        known.keep(number, number, MONDAY)

    assert [None, None, 2] == [known.get(number, MONDAY) for number in range(3)]
