from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta

import pytest

from bot.case import Thread
from bot.incident import Incident
from bot.journal.incidents import file
from bot.journal.open import Journal
from bot.journal.teams import Team, set_team
from tests.cli.conftest import Run

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)


@pytest.fixture
def incidents(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml"))
    for days, model in enumerate(("org/llama", "org/qwen", "org/llama-2")):
        thread = Thread(workspace="T1", channel="C1", root=str(days))
        file(journal, Incident(thread=thread, opened_at=MONDAY + timedelta(days=days), model=model, team="ml"))


@pytest.mark.usefixtures("incidents")
def test_incidents_are_written_as_csv_newest_first(run: Run) -> None:
    rows = list(csv.DictReader(run("export").output.splitlines()))

    assert ["org/llama-2", "org/qwen", "org/llama"] == [row["model"] for row in rows]


@pytest.mark.usefixtures("incidents")
def test_words_and_days_choose_which(run: Run) -> None:
    lines = run("export", "--format", "jsonl", "--since", "2026-11-24", "llama").output.splitlines()

    assert ["org/llama-2"] == [json.loads(line)["model"] for line in lines]


@pytest.mark.usefixtures("incidents")
def test_a_table_is_for_reading(run: Run) -> None:
    assert "org/qwen" in run("export", "--format", "table", "--team", "ml").output


def test_a_table_of_nothing_says_so(run: Run) -> None:
    assert "No incidents." in run("export", "--format", "table").output


def test_a_day_that_is_none_is_refused_with_an_example(run: Run) -> None:
    assert "2026-11-23" in run("export", "--since", "yesterday").output


def test_more_than_a_database_counts_to_is_refused(run: Run) -> None:
    assert "is not in the range" in run("export", "--most", "9" * 20).output
