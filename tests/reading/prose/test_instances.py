"""Servers on one card."""

from __future__ import annotations

import pytest

from bot.reading.prose.instances import find_instances
from bot.reading.read import read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 instances of qwen2.5-7b on one L40S", 2),
        ("I want two vLLM servers on the same card", 2),
        ("three separate models sharing a single GPU", 3),
        ("4 engines per GPU", 4),
        ("two models share the same H100", 2),
        ("two servers on two cards", None),
        ("2 instances on one node", None),
        ("one instance on one L40S", None),
        ("99 models on one GPU", None),
        ("1 server on the same card", None),
    ],
)
def test_servers_are_counted_where_they_share_a_card(text: str, expected: int | None):
    assert expected == find_instances(text)


def test_what_is_said_becomes_a_fact():
    assert 2 == read("we run 2 instances of Qwen/Qwen3-8B on the same GPU").value("instances")
