"""A journal on SQLite and one on a real PostgreSQL; every test of this room runs on both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.journal.open import Journal, open_journal


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    opened = open_journal(url)
    yield opened
    opened.close()
