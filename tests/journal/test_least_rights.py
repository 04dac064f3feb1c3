from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import ProgrammingError

from bot.journal.entries import remember
from bot.journal.open import Journal, open_journal
from bot.journal.owed import claim, settle
from tests.journal.makers import MONDAY, a_thread, an_entry

pytestmark = pytest.mark.postgres
GUIDE = (Path(__file__).parents[2] / "bot/OPERATING.md").read_text()


@pytest.fixture
def limited(postgres_url: str) -> Iterator[Journal]:
    """A journal as a role with the rights that the guide names."""
    rights = re.findall(r"^(?:CREATE ROLE|GRANT) .*;$", GUIDE, re.MULTILINE)
    owner = open_journal(postgres_url)
    with owner.writing() as connection:
        for right in rights:
            connection.execute(text(right.replace("'…'", "'limited'")))
    journal = open_journal(
        make_url(postgres_url).set(username="triage_app", password="limited").render_as_string(hide_password=False)
    )
    yield journal
    journal.close()
    with owner.writing() as connection:
        connection.execute(text("DROP OWNED BY triage_app"))
        connection.execute(text("DROP ROLE triage_app"))
    owner.close()


def test_the_rights_that_are_written_down_are_enough(limited: Journal) -> None:
    remember(limited, a_thread(), an_entry(), ["message:1"])
    owed = claim(limited, "w1", MONDAY)
    assert owed is not None

    settle(limited, owed)

    assert claim(limited, "w1", MONDAY) is None


def test_the_rights_that_are_written_down_change_no_tables(limited: Journal) -> None:
    with pytest.raises(ProgrammingError, match=r"owner|permission"), limited.writing() as connection:
        connection.execute(text("DROP TABLE entries"))
