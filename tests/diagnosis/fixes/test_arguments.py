"""Flags with their values."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flag, Flags
from bot.diagnosis.fixes.arguments import arguments, without_settings
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


@pytest.mark.parametrize("behind", ["--more", ">"])
def test_a_list_keeps_all_its_values(behind: str):
    flags = Flags.of([Flag(name="--sizes", type="list")])

    assert [["--sizes", "1", "2", "4"], [behind]] == [*arguments(["--sizes", "1", "2", "4", behind], flags)]


@pytest.mark.parametrize(
    ("taken", "kept"),
    [
        (["-cc", """'{"cudagraph_capture_sizes": [1, 2]}'"""], []),
        (["-cc", """'{"cudagraph_capture_sizes": [1], "mode": 3}'"""], ["-cc", """'{"mode": 3}'"""]),
        (['-O=\'{"cudagraph_capture_sizes": [1], "mode": 3}\''], ["-O='{\"mode\": 3}'"]),
        (["-cc", """'{"mode": 3}'"""], ["-cc", """'{"mode": 3}'"""]),
        (
            ["--hf-overrides", """'{"cudagraph_capture_sizes": 1}'"""],
            ["--hf-overrides", """'{"cudagraph_capture_sizes": 1}'"""],
        ),
        (["-cc", "$CONFIG"], ["-cc", "$CONFIG"]),
    ],
)
def test_a_setting_is_taken_out_of_what_holds_it(taken: list[str], kept: list[str]):
    assert kept == without_settings(taken, {"cudagraph_capture_sizes"})
