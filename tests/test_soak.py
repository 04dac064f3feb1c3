from __future__ import annotations

import pytest

from tests.soak import soak

pytestmark = pytest.mark.alone


@pytest.mark.postgres
@pytest.mark.timeout(300)
def test_what_is_killed_in_the_middle_is_neither_lost_nor_done_twice() -> None:
    found = soak(seconds=5, seed=3, kill_every=1.5, digests=3)

    assert () == found.faults, "\n".join(found.lines)
