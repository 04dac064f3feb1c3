"""One served workspace a transport for all the walks; tests that break things make their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.walk.served import Transport, Walk, a_walk


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Transport], Walk]]:
    """Walks by transport, begun when first asked for."""
    begun: dict[Transport, Walk] = {}
    with ExitStack() as stack:

        def serve(transport: Transport) -> Walk:
            if transport not in begun:
                begun[transport] = stack.enter_context(a_walk(transport, tmp_path_factory.mktemp(transport)))
            return begun[transport]

        yield serve


@pytest.fixture(params=["socket", "http"])
def walk(request: pytest.FixtureRequest, served: Callable[[Transport], Walk]) -> Walk:
    """A workspace that is served, over either transport."""
    made = served(request.param)
    made.settled()
    made.query("DELETE FROM incidents")  # what earlier walkers met makes replies short
    return made


@pytest.fixture
def own_walk(tmp_path: Path) -> Iterator[Callable[..., Walk]]:
    """Make a walk that nobody else is on: for power cuts, lost sockets and moved clocks."""
    with ExitStack() as stack:

        def make(transport: Transport = "socket", **options: Any) -> Walk:
            return stack.enter_context(a_walk(transport, tmp_path, **options))

        yield make
