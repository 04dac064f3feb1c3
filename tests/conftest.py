"""Fixtures that every room shares, and how properties are tried.

A run that decides about a change tries the same examples each time, however slow the machine is: what it finds is the
change's doing. To look for examples that nobody thought of, run `pytest -m hypothesis --hypothesis-profile=search`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from slack_sdk.socket_mode.builtin import internals

from tests.postgres import a_database, a_server

# How long an example takes says something about the machine and nothing about the property.
_PATIENT = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", _PATIENT, derandomize=True)
settings.register_profile("search", _PATIENT, max_examples=1_000)
settings.load_profile("steady")

# Slack's SDK masks its frames with everybody's random numbers, from a thread of its own, while properties are tried.
internals.random = Random()


@pytest.hookimpl(trylast=True)  # a profile may be named on the command line
def pytest_configure() -> None:
    """Let steady examples not depend on which modules of ours happen to be imported: their constants are tried too."""
    if settings.get_current_profile_name() == "steady":
        none = providers._local_constants
        providers._get_local_constants = lambda: none


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
