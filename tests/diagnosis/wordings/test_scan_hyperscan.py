"""The fast scanner, when several workers read at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from bot.diagnosis.wordings.scan_hyperscan import compile_database

PATTERNS = ["no available memory for the cache blocks", "out of memory"]


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Let threads interrupt each other as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("eager_threads")
def test_many_threads_scan_at_once():
    database = compile_database(PATTERNS)
    page = SimpleNamespace(flat="no available memory for the cache blocks. " * 20_000, mended="")

    with ThreadPoolExecutor(8) as hands:
        found = set(hands.map(lambda _: database.patterns_in(page), range(100)))

    assert {frozenset(PATTERNS[:1])} == found
