"""The text that is seen in a pattern stands in whatever it matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.diagnosis.wordings.bare_text import bare_text
from bot.diagnosis.wordings.patterns import compile_pattern, settle

PARTS = (
    "out of memory", "x", " ", "  ", r"\.", r"\(", r"\\", r"\b", r"\d+", r"\w", "[a b]", "[]x]", r"[\]y]", "?", "+", "*?", "{2}", "{0,3}", "(?:one|two)",
    "(?P<n>a b)", "(?:c(?:d|e)f)?", ".", "é", "A-B", '"', "{", "}",
)  # fmt: skip


def compiles(pattern: str) -> bool:
    try:
        compile_pattern(pattern)
    except re.error:
        return False
    return True


PATTERNS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=7).map("".join).filter(compiles)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("No available memory", "no available memory"),
        (r"sampler with (?P<dummy>\d+) dummy requests", "dummy requests"),
        (r"colou?rs of \(all\) kinds", "rs of (all) kinds"),
        (r"ab?", "a"),
        (r"\.?py", "py"),
        (r"first|second one", ""),
        (r"(?:a (?:b|c) \) d) end", "end"),
        (r"[some text] x", "x"),
        (r"whole\b word", "whole word"),
        (r"closed) too often", ""),
    ],
)
def test_the_longest_text_outside_of_groups(pattern: str, text: str):
    assert text == bare_text(pattern)


@given(st.data())
def test_it_stands_in_whatever_matches(data: st.DataObject):
    regex = compile_pattern(data.draw(PATTERNS))
    matched = data.draw(st.from_regex(regex, fullmatch=True))

    assert bare_text(regex.pattern.replace(r"\s+", " ")) in " ".join(f"|{matched}|".lower().split())


def test_it_stands_in_every_pattern_s_own_match():
    assert bare_text("Free  memory on device") in settle("ERROR Free\tmemory on device").lower()
