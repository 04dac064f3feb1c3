"""Whatever people paste, what we send is within Slack's limits and pings nobody."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.case import Case, Thread
from bot.consult import ask
from bot.incident import Incident
from bot.journal.channels import set_channel
from bot.journal.incidents import file
from bot.journal.open import open_journal
from bot.settings import Settings
from bot.slack.api.client import client
from bot.slack.api.markup import escape
from bot.slack.desk import Desk
from bot.slack.home.tab import home
from bot.slack.saying.brief import Memory
from bot.slack.saying.delivery import Message
from bot.slack.saying.reply import escalation, reply
from bot.slack.saying.welcome import greeting, welcome
from bot.slack.sizes.answer import shared, size_reply
from bot.slack.sizes.form import details_page, form
from bot.slack.sizes.wish import Wish
from bot.workspace.limits import complaints
from tests.slack.conftest import NO_ROOM

THREAD = Thread(workspace="T1", channel="C1", root="1764000000.000100")
HOSTILE = st.text(max_size=300) | st.sampled_from(
    [
        "<!channel>",
        "<@U1>",
        "```",
        "*x*",
        "&lt;!here&gt;",
        "A" * 4_000,
        "vllm serve <!everyone>/m",
        "\u202e",
        "x/" * 900,
    ]
)
QUICK = settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    return Desk(
        journal=journal, client=client(Settings(slack_api_url="http://127.0.0.1:9/api/"), "xoxb-1"), bot_user="U1"
    )


def faults(message: Message) -> list[str]:
    found = complaints(list(message.blocks), "message") if message.blocks else []
    return [*found, *(mark for mark in ("<!", "<@", "<#") if mark in message.text)]


@QUICK
@given(HOSTILE)
def test_a_reply(words: str) -> None:
    diagnosis = ask(f"{NO_ROOM.replace('meta-llama', words)}\n{words}")

    assert [] == faults(reply(THREAD, Case(state="resolved", is_edited=True), diagnosis, Memory()))
    assert [] == faults(reply(THREAD, Case(), diagnosis, Memory()))


@QUICK
@given(HOSTILE)
def test_an_escalation(desk: Desk, words: str) -> None:
    set_channel(desk.journal, "T1", "C1", helpers="S1")

    assert [] == faults(escalation(desk, THREAD, Case(opener="U1"), ask(f"{NO_ROOM} {words}")))


@QUICK
@given(HOSTILE)
def test_a_budget_and_its_form(words: str) -> None:
    wish = Wish(text=words[:1_500], facts={"gpu": "L4", "model": words[:150] or "m"})

    assert [] == faults(size_reply(wish))
    assert [] == faults(shared(wish))
    assert [] == complaints(form(wish, "C1")["blocks"], "modal")
    assert [] == complaints(details_page(wish)["blocks"], "modal")


@QUICK
@given(HOSTILE)
def test_a_table_of_what_ifs(words: str) -> None:
    lengths = ",".join(str(1_024 * n) for n in range(1, 25))
    wish = Wish(text=f"qwen3-8b on L4 {words[:300]} --sweep max_model_len={lengths} --sweep tensor_parallel=1,3")

    assert [] == faults(size_reply(wish))
    assert [] == complaints(details_page(wish)["blocks"], "modal")


@QUICK
@given(HOSTILE)
def test_the_home_tab(desk: Desk, words: str) -> None:
    for number in range(60):
        set_channel(desk.journal, "T1", f"C{number}", is_private=False, mode="auto", name=words[:200])
    opened = datetime.now(UTC)
    file(desk.journal, Incident(thread=THREAD, opened_at=opened, opener="U1", title=escape(words), model=words[:200]))

    assert [] == complaints(home(desk, "T1", "U1")["blocks"], "home")


@pytest.mark.parametrize("message", [welcome(), greeting()])
def test_what_we_say_of_ourselves(message: Message) -> None:
    assert [] == faults(message)
