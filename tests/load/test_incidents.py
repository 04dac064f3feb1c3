from __future__ import annotations

import pytest

from tests.load.incidents import journals, plans, run

pytestmark = pytest.mark.alone


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_digest_and_the_home_tab_are_quick_and_read_no_table_from_end_to_end(kind: str) -> None:
    with journals(kind) as journal:
        (figures,) = run(journal, (5_000,))

        ways = plans(journal)

    assert 30 < figures.week < 80
    assert figures.platform[1] < 1.0
    assert [] == [way for way in ways if way.startswith(("Seq Scan", "SCAN incidents"))]
