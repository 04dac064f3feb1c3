from __future__ import annotations

from types import SimpleNamespace

import pytest

from bot.diagnosis.wordings.patterns import likely_literals
from bot.diagnosis.wordings.scan_python import patterns_in

PATTERNS = ["No available memory for the cache blocks", r"free memory (?P<free>\d+)"]


def found(flat: str, mended: str = "") -> set[str]:
    return set(patterns_in(PATTERNS, SimpleNamespace(flat=flat, mended=mended)))


def test_a_pattern_is_found_by_the_text_that_it_cannot_do_without():
    assert {PATTERNS[0]} == found("valueerror: no available memory for the cache blocks.")


def test_a_line_that_was_broken_and_mended_counts_too():
    assert {PATTERNS[0]} == found("nothing here", "no available memory for the cache blocks")


def test_nothing_is_found_in_other_text():
    assert set() == found("thanks, works now")


@pytest.mark.parametrize("pattern", [r"\d+", r"(?:a|b)"])
def test_what_promises_no_text_is_always_tried(pattern: str):
    assert () == likely_literals(pattern)
    assert {pattern} == set(patterns_in([pattern], SimpleNamespace(flat="", mended="")))
