"""One served workspace a transport for all the walks; tests that break things make their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.walk.served import Transport, Walk, a_walk

Walks = Callable[[Transport], Walk]


@contextmanager
def _begun_once(directories: pytest.TempPathFactory, **options: Any) -> Iterator[Walks]:
    """Yield walks by transport, begun when first asked for: to start the program takes longer than most walks."""
    begun: dict[Transport, Walk] = {}
    with ExitStack() as stack:

        def walk(transport: Transport) -> Walk:
            if transport not in begun:
                begun[transport] = stack.enter_context(a_walk(transport, directories.mktemp(transport), **options))
            begun[transport].settled()
            begun[transport].query("DELETE FROM incidents")  # what earlier walkers met makes replies short
            return begun[transport]

        yield walk


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walks]:
    """Walks that everybody is on."""
    with _begun_once(tmp_path_factory) as walks:
        yield walks


@pytest.fixture(scope="session")
def mortals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walks]:
    """Walks for `mortal`; there what was not acknowledged comes again soon."""
    with _begun_once(tmp_path_factory, clock_factor=600) as walks:
        yield walks


@pytest.fixture(params=["socket", "http"])
def walk(request: pytest.FixtureRequest, served: Walks) -> Walk:
    """A workspace that is served, over either transport."""
    return served(request.param)


@pytest.fixture
def mortal(mortals: Walks) -> Iterator[Walks]:
    """Give a walk for power cuts and lost sockets; it is put in order afterwards."""
    used: list[Walk] = []

    def take(transport: Transport = "socket") -> Walk:
        used.append(mortals(transport))
        return used[-1]

    yield take
    for walk in used:
        walk.maya.do("fault", clear=True)
        if not walk.process:
            walk.start()
        walk.is_reached()


@pytest.fixture
def own_walk(tmp_path: Path) -> Iterator[Callable[..., Walk]]:
    """Make a walk that nobody else is on: for moved clocks."""
    with ExitStack() as stack:

        def make(transport: Transport = "socket", **options: Any) -> Walk:
            return stack.enter_context(a_walk(transport, tmp_path, **options))

        yield make
