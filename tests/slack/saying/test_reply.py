from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from slack_sdk import WebClient

from bot.case import Case, Thread
from bot.consult import ask
from bot.diagnosis.asking import WANTED
from bot.diagnosis.verdict import Question
from bot.journal.channels import set_channel
from bot.journal.open import Journal, open_journal
from bot.journal.teams import Team, set_team
from bot.slack.desk import Desk
from bot.slack.saying.brief import Memory
from bot.slack.saying.reply import escalation, reply
from tests.slack.conftest import NO_ROOM

THREAD = Thread(workspace="T1", channel="C1", root="1")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    set_channel(opened, "T1", "C1", team="ml")
    yield opened
    opened.close()


def called_at(journal: Journal, hour: int) -> str:
    """Return the escalation's blocks at that hour in UTC, which is one earlier than in Berlin."""
    now = datetime(2026, 11, 30, hour, 30, tzinfo=UTC)
    desk = Desk(journal, cast("WebClient", None), "", clock=lambda: now)
    return str(escalation(desk, THREAD, Case(opener="U1"), ask(NO_ROOM)).blocks)


def test_an_escalation_calls_the_group_of_the_owning_team(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml", escalation="S1"))

    assert "'usergroup_id': 'S1'" in called_at(journal, 12)


def test_a_channels_own_helpers_come_first(journal: Journal) -> None:
    set_team(journal, Team(workspace="T1", name="ml", escalation="S1"))
    set_channel(journal, "T1", "C1", helpers="S2")

    assert "'usergroup_id': 'S2'" in called_at(journal, 12)


@pytest.mark.parametrize(("hour", "is_called"), [(5, False), (6, True), (18, True), (19, False)])
def test_nobody_is_called_in_quiet_hours_and_the_thread_is_told(journal: Journal, hour: int, is_called: bool) -> None:
    night = {"quiet_from": 20 * 60, "quiet_until": 7 * 60}
    set_team(journal, Team(workspace="T1", name="ml", escalation="S1", zone="Europe/Berlin", **night))

    assert is_called == ("S1" in called_at(journal, hour))
    assert is_called != ("quiet hours until 07:00" in called_at(journal, hour))


def test_where_nobody_is_set_the_thread_says_how_to_set_them(journal: Journal) -> None:
    assert "Nobody is set to be called here; `helpers @group`" in called_at(journal, 12)


def menu(blocks: tuple[dict, ...]) -> list[str]:
    elements = [each for block in blocks if block["type"] == "actions" for each in block["elements"]]
    return [option["value"] for each in elements if each["type"] == "overflow" for option in each["options"]]


def test_a_budget_may_be_had_as_a_picture_until_it_was_drawn() -> None:
    diagnosis = ask(f"{NO_ROOM} vllm serve meta-llama/Llama-3.1-8B-Instruct on an L4")
    assert diagnosis.budget

    assert "draw" in menu(reply(THREAD, Case(), diagnosis, Memory()).blocks)
    assert "draw" not in menu(reply(THREAD, Case(is_drawn=True), diagnosis, Memory()).blocks)


def test_what_somebody_typed_as_the_fix_becomes_no_markup() -> None:
    case = Case(state="resolved", resolver="U1", fix="*restarted* <!channel>")
    (state, *_) = reply(THREAD, case, ask(NO_ROOM), Memory()).blocks

    assert ["mrkdwn", "plain_text"] == [each["type"] for each in state["elements"]]


@pytest.mark.parametrize(
    ("fact", "element"), [("gpu", "rich_text_preformatted"), ("max_model_len", "rich_text_section")]
)
def test_i_do_not_know_shows_a_command_to_copy_or_where_to_look(fact: str, element: str) -> None:
    question = Question(name=fact, text="Which?", how_to_find_out=WANTED[fact].how_to_find_out)
    diagnosis = ask(NO_ROOM)._replace(questions=(question,))
    said = reply(THREAD, Case(declined=frozenset({fact})), diagnosis, Memory()).blocks[-2]

    assert element == said["elements"][-1]["type"]
    assert "`" not in str(said)
