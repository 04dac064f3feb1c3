"""Addresses and what only looks like one."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub


@pytest.mark.parametrize(
    "text",
    ["_10.1.2.3_", "__10.1.2.3__", "*10.1.2.3*", "~10.1.2.3~", "`10.1.2.3`", "<http://10.1.2.3:8000|10.1.2.3>", "host_10.1.2.3", "rank_10.1.2.3_0", "10.1.2.3.", "ip:10.1.2.3", "tcp://10.1.2.3:29500"],
)  # fmt: skip
def test_an_address_goes_in_any_markup(text: str):
    assert "10.1.2.3" not in scrub(text)


@pytest.mark.parametrize(
    "text",
    ["torch_2.8.0.1", "cudnn==9.1.0.70", "v1.2.3.4", "127.0.0.1:8000", "0.0.0.0", "version: 9.1.0.70", "999.1.2.3"],
)
def test_a_version_and_loopback_stay(text: str):
    assert text == scrub(text)
