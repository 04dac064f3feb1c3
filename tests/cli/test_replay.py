from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.case import Entry, EntryKind, Thread
from bot.incident import Incident
from bot.journal.entries import remember
from bot.journal.forget import forget_person
from bot.journal.incidents import file, incident_of
from bot.journal.open import Journal
from tests.cli.conftest import Run

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
ERROR = "ValueError: No available memory for the cache blocks."
COMMAND = "vllm serve meta-llama/Llama-3.1-8B-Instruct --gpu-memory-utilization 0.4"


def say(journal: Journal, text: str, seconds: float = 0, kind: EntryKind = EntryKind.PASTE) -> Thread:
    at = MONDAY + timedelta(seconds=seconds)
    root = f"{at.timestamp():.6f}"
    thread = Thread(workspace="T1", channel="C1", root=root)
    remember(journal, thread, Entry(kind=kind, at=at, author="U1", message=root, text=text), [f"m:{root}"])
    return thread


@pytest.fixture
def thread(journal: Journal) -> Thread:
    return say(journal, f"{ERROR}\n{COMMAND}")


def test_incidents_are_built_anew_from_what_was_said(run: Run, journal: Journal, thread: Thread) -> None:
    said = run("replay").output

    found = incident_of(journal, thread)
    assert found is not None
    assert ("meta-llama/Llama-3.1-8B-Instruct", MONDAY) == (found.model, found.opened_at)
    assert "1 incidents built anew; 1 verdicts changed." in said


def test_a_verdict_that_newer_knowledge_changes_is_listed(run: Run, journal: Journal, thread: Thread) -> None:
    file(journal, Incident(thread=thread, opened_at=MONDAY, problem="an-old-name", team="ml"))

    said = run("replay", "--dry-run").output

    assert f"C1 {thread.root}: an-old-name → " in said
    found = incident_of(journal, thread)
    assert found is not None
    assert "an-old-name" == found.problem


def test_a_team_keeps_its_incidents(run: Run, journal: Journal, thread: Thread) -> None:
    file(journal, Incident(thread=thread, opened_at=MONDAY, team="ml"))

    run("replay")

    found = incident_of(journal, thread)
    assert found is not None
    assert "ml" == found.team


def test_a_second_replay_changes_nothing(run: Run, thread: Thread) -> None:
    assert thread
    run("replay")

    assert "0 verdicts changed." in run("replay").output


def test_an_earlier_part_of_a_paste_is_no_incident(run: Run, journal: Journal) -> None:
    part = say(journal, f"{COMMAND} --max-model-len 4096")
    whole = say(journal, ERROR, 5)

    run("replay")

    found = incident_of(journal, whole)
    assert found is not None
    assert "meta-llama/Llama-3.1-8B-Instruct" == found.model
    assert incident_of(journal, part) is None


def test_only_threads_of_the_time_are_built(run: Run, thread: Thread) -> None:
    assert thread
    assert "0 incidents" in run("replay", "--since", "2026-11-24").output


def test_what_was_forgotten_stays_forgotten(run: Run, journal: Journal, thread: Thread) -> None:
    run("replay")
    forget_person(journal, "T1", "U1")

    run("replay")

    assert incident_of(journal, thread) is None
