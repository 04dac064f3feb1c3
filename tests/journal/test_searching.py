from __future__ import annotations

from datetime import timedelta

from bot.journal.incidents import file
from bot.journal.open import Journal
from bot.journal.searching import Search, find
from tests.journal.makers import MONDAY, an_incident


def found(journal: Journal, **wanted: object) -> list[str]:
    return [row.thread.root for row in find(journal, Search.model_validate(wanted))]


def test_every_word_must_stand_somewhere(journal: Journal) -> None:
    file(journal, an_incident("1", model="org/Llama-3.1-8B", gpu="NVIDIA L4"))
    file(journal, an_incident("2", model="org/Llama-3.1-8B", gpu="NVIDIA H100"))

    assert ["1"] == found(journal, words=("llama", "l4"))


def test_a_word_is_taken_as_it_is_written(journal: Journal) -> None:
    file(journal, an_incident("1", model="a_b"))
    file(journal, an_incident("2", model="axb"))

    assert ["1"] == found(journal, words=("a_b",))


def test_the_newest_come_first_and_only_those_of_the_time(journal: Journal) -> None:
    for days in range(4):
        file(journal, an_incident(str(days), days=days))

    since, until = MONDAY + timedelta(days=1), MONDAY + timedelta(days=3)
    assert ["2", "1"] == found(journal, since=since, until=until)


def test_a_team_finds_its_own(journal: Journal) -> None:
    file(journal, an_incident("1", team="ml"))
    file(journal, an_incident("2", team="search"))

    assert ["1"] == found(journal, workspace="T1", team="ml")
