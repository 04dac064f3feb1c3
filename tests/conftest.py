"""Fixtures that every room shares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import a_database, a_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL."""
    with a_server() as address:
        yield address


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The address of an empty database of its own."""
    with a_database(postgres) as address:
        yield address
