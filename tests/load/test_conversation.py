"""The load script in short: nothing is lost under load; how fast it is, is measured by hand on a calm machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.workspace.server import Workspace
from tests.load.conversation import Load, echo, measure, triage

pytestmark = pytest.mark.alone

SHORT = Load(seconds=1, a_second=10, logs=4, acknowledgements=10)


@pytest.mark.parametrize("app", [echo, triage])
def test_a_short_load_is_answered_and_acknowledged(app: Callable[[Workspace, Path], Iterator[None]]) -> None:
    figures = measure(app, SHORT)

    assert 10 == len(figures.replies)
    assert 10 <= len(figures.acknowledgements)
