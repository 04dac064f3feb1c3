from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.case import Thread
from bot.slack.desk import moment
from bot.slack.hearing.run_on import seconds_to_wait
from tests.slack.conftest import NO_ROOM, Party, texts, wait_for
from tests.slack.saying.test_offer import UNKNOWN

ERROR, COMMAND = NO_ROOM.split("\n")


def test_a_paste_in_two_messages_is_one_paste(party: Party) -> None:
    channel = party.a_channel()
    first = party.maya.post(channel, f"{COMMAND} --max-model-len 4096")["ts"]
    party.settled()

    second = party.maya.post(channel, ERROR)["ts"]

    reply = party.maya.wait_for_reply(channel, second)
    party.settled()
    assert "Llama-3.1-8B" in texts(reply["blocks"])
    assert [] == party.said(channel, first)


def test_the_parts_of_a_paste_may_come_in_either_order(party: Party) -> None:
    channel = party.a_channel()
    party.maya.do("fault", kind="hold", on="message", seconds=0.5)

    first, second = (party.maya.post(channel, words)["ts"] for words in (f"{COMMAND} --max-model-len 4096", ERROR))

    wait_for(lambda: "Llama-3.1-8B" in texts([each["blocks"] for each in party.said(channel, second)]))
    party.settled()
    assert [0, 1] == [len(party.said(channel, ts)) for ts in (first, second)]
    with party.journal.engine.connect() as connection:
        filed = connection.execute(
            text("SELECT count(*) FROM incidents WHERE root IN (:a, :b)"), {"a": first, "b": second}
        )
        assert 1 == filed.scalar_one()


def test_the_first_half_of_a_paste_is_offered_nothing_when_the_second_comes(party: Party) -> None:
    channel = party.a_channel()
    party.maya.do("fault", kind="hold", on="message", after=1, seconds=1)

    first, second = (party.maya.post(channel, words)["ts"] for words in (UNKNOWN, NO_ROOM))

    party.maya.wait_for_reply(channel, second)
    party.settled()
    assert [] == [each["text"] for each in party.maya.messages(channel) if each.get("is_ephemeral")]
    assert [0, 1] == [len(party.said(channel, ts)) for ts in (first, second)]


def test_two_halves_that_nobody_knows_are_offered_one_look(party: Party) -> None:
    channel = party.a_channel()

    for part in (1, 2):
        party.maya.post(channel, f"{UNKNOWN} in part {part}")

    party.settled()
    assert 1 == len([each for each in party.maya.messages(channel) if each.get("is_ephemeral")])


@pytest.mark.parametrize(("seconds", "wait"), [(0, 3), (1, 2), (3, 0), (400, 0), (-1, 4), (-400, 0)])
def test_a_second_half_is_waited_for_as_long_as_it_may_take_and_no_longer_where_clocks_differ(
    seconds: int, wait: int
) -> None:
    thread = Thread(workspace="T1", channel="C1", root="1790000000.000000")

    assert wait == seconds_to_wait(thread, moment("1790000000.000000") + timedelta(seconds=seconds))


def test_what_somebody_else_said_is_another_matter(party: Party) -> None:
    channel = party.a_channel()
    party.jonas.post(channel, f"{COMMAND} --max-model-len 4096")
    party.settled()

    ts = party.maya.post(channel, ERROR)["ts"]

    assert "Llama-3.1-8B" not in texts(party.maya.wait_for_reply(channel, ts)["blocks"])


def test_two_whole_pastes_are_two_cases(party: Party) -> None:
    channel = party.a_channel()
    first = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, first)

    second = party.maya.post(channel, ERROR)["ts"]

    assert "Llama-3.1-8B" not in texts(party.maya.wait_for_reply(channel, second)["blocks"])


def test_a_question_that_calls_us_by_name_is_no_part_of_the_next_paste(party: Party) -> None:
    channel = party.a_channel()
    asked = f"@vllm-triage {COMMAND} --max-model-len 4096"

    first, second = (party.maya.post(channel, text)["ts"] for text in (asked, ERROR))

    party.settled()
    assert party.said(channel, first)
    assert "Llama-3.1-8B" not in texts(party.maya.wait_for_reply(channel, second)["blocks"])


def test_a_call_by_name_takes_up_what_was_just_said(party: Party) -> None:
    channel = party.a_channel()
    party.maya.post(channel, "CUDA out of memory")
    party.settled()

    ts = party.maya.post(channel, "@vllm-triage what about that?")["ts"]

    assert "CUDA out of memory" in texts(party.maya.wait_for_reply(channel, ts)["blocks"])
