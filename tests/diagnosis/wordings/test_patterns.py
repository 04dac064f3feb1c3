"""What a pattern promises."""

from __future__ import annotations

import pytest

from bot.diagnosis.wordings.patterns import compile_pattern, flexible, required_literals, settle, skeleton


def test_a_space_stands_for_any_run_of_white_space():
    assert compile_pattern("cache blocks").search("cache \t\n blocks")


def test_a_space_in_brackets_stays_a_space():
    assert r"a\s+[b c]" == flexible("a [b c]")


def test_case_does_not_matter():
    assert compile_pattern("Free memory").search("FREE MEMORY")


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        ("No available memory for", ("no available memory for",)),
        (r"sampler with (?P<dummy_requests>\d+) dummy requests", ("dummy requests",)),
        ("(?:first thing|another) x", ("first thing", "another")),
        (r"(?:optional words)? the rest of it", ("the rest of it",)),
        (r"(?:thing|a) \d", ()),
        (r"[\d.]+ GiB", ()),
    ],
)
def test_what_a_match_cannot_do_without(pattern: str, literals: tuple[str, ...]):
    assert literals == required_literals(pattern)


def test_a_required_literal_stands_in_every_match():
    pattern = r"Free memory on device(?: cuda:\d)? \((?P<free>[\d.]+)/[\d.]+ GiB\) on startup is less"

    (literal,) = required_literals(pattern)

    assert literal in settle("Free memory on device (1.0/2.0 GiB) on startup is less").lower()


def test_a_skeleton_is_the_text_without_what_varies():
    assert "max seq len ( ) is larger" == skeleton(r"max seq len \((?P<max_model_len>\d+)\) is larger")


def test_quote_marks_and_borders_are_no_part_of_a_line():
    assert "ERROR here" == settle("> │ ERROR    here │")
