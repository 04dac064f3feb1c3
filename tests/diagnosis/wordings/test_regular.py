"""Patterns are shown to be regular and linear by their structure."""

import re
import time

import pytest

from bot.diagnosis.wordings.regular import objections


@pytest.mark.parametrize(
    "pattern",
    [
        r"No available memory for the cache blocks",
        r"World size \((?P<tensor_parallel>\d+)\) is larger",
        r"\b\d+\.\d+ GiB KV cache is needed",
        r"KV cache usage. (?P<kv_usage_pct>\d{1,3}\.\d)%",
        r"memory[^\n]{0,60}not released",
        r"(?:cuda.\d+ )?\(\d+\.\d+/",
    ],
)
def test_a_plain_message_may_be_used(pattern: str):
    assert () == objections(pattern)


@pytest.mark.parametrize(
    ("pattern", "clause"),
    [
        (r"cache blocks(?!x)", "ahead"),
        (r"(?P<a>x)y(?P=a)", "group"),
        (r"memory.*blocks", "without bound"),
        (r"[^\n]*blocks", "without bound"),
        (r"blocks (?:\d+,?)*x", "repeats a repeat"),
        (r"\d+ blocks", "begin anywhere"),
        (r"x[a-z]*[a-z]+y", "begin anywhere"),
        (r"a.{0,90}b.{0,90}c", "multiply"),
        (r"cache ?blocks", "counts a space"),
        (r"cache (blocks", "no regular expression"),
    ],
)
def test_what_is_not_linear_is_named(pattern: str, clause: str):
    assert any(clause in objection for objection in objections(pattern))


def test_an_endless_repeat_behind_its_own_characters_is_found():
    assert objections(r"\bx?\d*\d+y")


@pytest.mark.parametrize("pattern", [r"\b\d+\.\d+ GiB KV cache is needed", r"memory[^\n]{0,60}not released"])
def test_eight_times_the_hostile_text_takes_nowhere_near_its_square(pattern: str):
    regex = re.compile(pattern)

    def cost(size: int) -> float:
        hostile = ("1" * 40 + "memory ") * size
        runs: list[float] = []
        for _ in range(5):
            start = time.process_time()
            regex.search(hostile)
            runs.append(time.process_time() - start)
        return min(runs)

    assert cost(16_000) < 24 * cost(2_000)
