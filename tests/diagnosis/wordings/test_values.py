"""Captures as facts."""

from __future__ import annotations

from typing import Any

import pytest

from bot.diagnosis.wordings.search import Capture, Scanner
from bot.diagnosis.wordings.values import facts_in, read_capture
from bot.units import Bytes
from tests.diagnosis.conftest import PROBLEMS
from tests.diagnosis.makers import NEEDED, lines_of


@pytest.mark.parametrize(
    ("name", "text", "behind", "value"),
    [
        ("kv_needed", "16.00", " GiB KV", Bytes.gib(16)),
        ("kv_needed", "16.00 GiB", "", Bytes.gib(16)),
        ("weights", "14.99", " GB", Bytes.gib(14.99)),
        ("oom_tried", "512", " MiB.", Bytes.mib(512)),
        ("kv_needed", "16.00", " of", None),
        ("oom_free", "89043763200", ",", Bytes(89_043_763_200)),
        ("max_model_len", "131,072", ")", 131_072),
        ("max_model_len", "16901", "...", None),
        ("kv_tokens", "1", "2 tokens", None),
        ("gpu_memory_utilization", "0.95", ",", 0.95),
        ("vllm_version", "0.11.0", "", None),
        ("max_model_len", "many", "", None),
    ],
)
def test_a_capture_is_a_whole_figure_or_no_fact(name: str, text: str, behind: str, value: Any):
    found = read_capture(name, Capture(text, behind))

    assert value == found or (name == "vllm_version" and "0.11.0" == str(found))


def test_a_message_gives_measured_facts_with_their_line():
    fact = facts_in(Scanner(PROBLEMS).scan(lines_of(NEEDED))).facts["kv_available"]

    assert (Bytes.gib(4.13), 1) == (fact.value, fact.line)


def test_a_description_measures_nothing():
    assert {} == facts_in(Scanner(PROBLEMS).scan(lines_of("no traffic and it is full"))).facts
