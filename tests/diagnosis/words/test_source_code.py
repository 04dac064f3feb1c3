"""Messages in the source of a program."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.source_code import is_in_source
from tests.diagnosis.makers import lines_of

RAISED = 'raise ValueError("'


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ('def check(n):\n    raise ValueError("no room")', RAISED),
        ('@@ -1,2 +1,2 @@\n-    raise ValueError("no room")', f"-    {RAISED}"),
        ('with pytest.raises(ValueError, match="no room"):\n    start()', 'with pytest.raises(ValueError, match="'),
    ],
)
def test_a_string_of_a_source_is_no_failure(text: str, before: str):
    assert is_in_source(lines_of(text), [before])


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ('"no room"', '"'),
        ("def check(n):\n    start()\nno room", ""),
        ('Traceback (most recent call last):\n    raise ValueError("no room")', RAISED),
        ('    raise ValueError("no room")\nValueError: no room', RAISED),
    ],
    ids=["a quotation", "no string", "a traceback", "an exception"],
)
def test_what_a_run_printed_is_one(text: str, before: str):
    assert not is_in_source(lines_of(text), [before])


def test_nothing_found_stands_nowhere():
    assert not is_in_source(lines_of("raise ValueError()"), [])
