from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.case import Thread
from bot.incident import Incident
from bot.journal.channels import set_channel
from bot.journal.incidents import file
from bot.journal.open import Journal, open_journal
from bot.reply.document import Bullets, Document, Prose, Table
from bot.weekly import read_week, week_of, weeks_of_teams

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
WEEK = week_of(MONDAY)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")


def an_incident(days: float = 0, channel: str = "C1", **fields: Any) -> Incident:
    thread = Thread(workspace="T1", channel=channel, root=f"{(MONDAY + timedelta(days=days)).timestamp():.6f}")
    return Incident(thread=thread, opened_at=MONDAY + timedelta(days=days), **fields)


def told(journal: Journal, reader: str | None = None) -> Document:
    (team,) = weeks_of_teams(journal, WEEK, lambda incident: f"https://x/{incident.thread.root}", reader)
    return team.document


def plain(document: Document) -> str:
    prose = [part for part in document.parts if isinstance(part, Prose)]
    return "\n".join("".join(span.text for span in part.spans) for part in prose)


def table(document: Document, header: str) -> dict[str, tuple[str, ...]]:
    (found,) = [part for part in document.parts if isinstance(part, Table) and part.headers[0] == header]
    return {row[0]: row[1:] for row in found.rows}


def test_a_week_is_named_as_people_write_it() -> None:
    assert WEEK.name == "2026-W48"


@pytest.mark.parametrize("text", ["2026-W48", "2026w48", " 2026-W48 "])
def test_a_name_means_its_week(text: str) -> None:
    assert read_week(text) == WEEK


@pytest.mark.parametrize("text", ["", "48", "2026-W60", "2026-48", "next week"])
def test_what_names_no_week_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="2026-W48"):
        read_week(text)


def test_a_week_with_a_change_of_the_clocks_still_ends_on_monday_midnight() -> None:
    week = read_week("2026-W43", ZoneInfo("Europe/Berlin"))

    assert ((week.end.year, week.end.month, week.end.day), week.end.hour) == ((2026, 10, 26), 0)
    assert timedelta(days=7, hours=1) == week.end.astimezone(UTC) - week.begin.astimezone(UTC)


def test_incidents_are_counted_against_the_week_before(journal: Journal) -> None:
    for days, gpu in ((0, "L4"), (1, "L4"), (2, "H100"), (-2, "L4")):
        file(journal, an_incident(days, gpu=gpu, model="m", problem="p", title="No room"))

    document = told(journal)

    assert "3 incidents (2 more than the week before)" in plain(document)
    assert table(document, "GPU") == {"L4": ("2", "1", "+1"), "H100": ("1", "0", "+1")}
    assert table(document, "Problem") == {"No room": ("3", "1", "+2")}


def test_an_axis_that_nobody_knows_anything_of_is_left_out(journal: Journal) -> None:
    file(journal, an_incident(gpu="L4"))

    headers = [part.headers[0] for part in told(journal).parts if isinstance(part, Table)]

    assert headers == ["GPU"]


def test_what_is_open_is_linked_where_everybody_may_read_it(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", is_private=False)
    file(journal, an_incident(title="No room"))

    (bullets,) = [part for part in told(journal).parts if isinstance(part, Bullets)]

    assert bullets.items[0].spans[0].url


@pytest.mark.parametrize(("reader", "links"), [(None, 0), ("C9", 0), ("C1", 1)])
def test_a_private_channel_is_counted_and_linked_only_to_itself(
    journal: Journal, reader: str | None, links: int
) -> None:
    set_channel(journal, "T1", "C1", is_private=True)
    file(journal, an_incident(title="No room"))

    document = told(journal, reader)

    (bullets,) = [part for part in document.parts if isinstance(part, Bullets)]
    assert links == len([item for item in bullets.items if item.spans[0].url])
    assert "1 incident " in plain(document)


def test_every_owning_team_has_its_own_digest(journal: Journal) -> None:
    set_channel(journal, "T1", "C1", team="search")
    file(journal, an_incident(0, "C1"))
    file(journal, an_incident(1, "C2"))

    teams = weeks_of_teams(journal, WEEK, lambda _: None)

    assert [team.team for team in teams] == ["T1", "search"]


def test_the_median_time_to_a_solution_is_told(journal: Journal) -> None:
    for days, hours in ((0, 1), (1, 2), (2, 30)):
        solved = MONDAY + timedelta(days=days, hours=hours)
        file(journal, an_incident(days, state="resolved", resolved_at=solved))

    assert "median time to resolution 2.0 h" in plain(told(journal))


def test_a_quiet_week_after_a_busy_one_says_so(journal: Journal) -> None:
    file(journal, an_incident(-3))

    assert "0 incidents (1 fewer than the week before)" in plain(told(journal))
