from __future__ import annotations

import pytest

from bot.slack.operating.finding import clock_finding


@pytest.mark.parametrize(
    ("ahead", "state", "said"),
    [
        (0.3, "well", "0.3 s apart"),
        (-59, "well", "59.0 s apart"),
        (90, "ill", "90 s ahead"),
        (-90, "ill", "90 s behind"),
    ],
)
def test_a_clock_may_be_off_by_a_minute(ahead: float, state: str, said: str) -> None:
    found = clock_finding("clock", ahead)

    assert (state, True) == (found.state, said in found.said)
