"""Flags with their values."""

from __future__ import annotations

import pytest

from bot.diagnosis.fixes.arguments import arguments
from tests.diagnosis.conftest import FLAGS


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--max-model-len 8 x", [["--max-model-len", "8"], ["x"]]),
        ("--max-model-len=8 x", [["--max-model-len=8"], ["x"]]),
        ("--enforce-eager x", [["--enforce-eager"], ["x"]]),
        ("--enforce-eager true x", [["--enforce-eager", "true"], ["x"]]),
        ("--unknown x --more", [["--unknown", "x"], ["--more"]]),
    ],
)
def test_a_flag_keeps_its_value(words: str, expected: list[list[str]]):
    assert expected == [list(part) for part in arguments(words.split(), FLAGS)]
