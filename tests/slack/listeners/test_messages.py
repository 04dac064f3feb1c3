from __future__ import annotations

from pathlib import Path

from slack_sdk import WebClient

from bot.case import Thread, fold
from bot.journal.channels import set_channel
from bot.journal.entries import entries
from bot.journal.open import open_journal
from bot.slack.desk import Desk
from bot.slack.listeners.messages import take_message
from tests.slack.conftest import NO_ROOM, Party


def test_a_redelivered_event_changes_nothing(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)

    for _ in range(3):
        party.maya.do("redeliver", type="message")

    party.settled()
    assert 1 == len(party.said(channel, ts))


def test_one_gesture_with_two_timestamps_is_one_message(party: Party) -> None:
    channel = party.a_channel()
    first = party.maya.post(channel, NO_ROOM, client_msg_id=channel)["ts"]
    party.maya.wait_for_reply(channel, first)

    second = party.maya.post(channel, NO_ROOM, client_msg_id=channel)["ts"]

    party.settled()
    assert [] == party.said(channel, second)


def test_another_bot_is_ignored(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.do("bot_post", channel=channel, text=NO_ROOM)["ts"]

    party.settled()
    assert [] == party.said(channel, ts)


def test_a_log_in_a_file_is_read(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.upload(channel, NO_ROOM, name="vllm.log", text="see the log")["ts"]

    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]


def test_a_picture_gets_a_request_for_text(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.do(
        "upload", channel=channel, hex="89504e470d0a1a0a00", name="nvidia-smi.png", text="@vllm-triage see"
    )["ts"]

    party.settled()
    assert [message for message in party.said(channel, ts) if "as text" in message["text"]]


def test_a_message_that_names_us_counts_as_a_mention_before_its_twin_comes(tmp_path: Path) -> None:
    journal = open_journal(f"sqlite:///{tmp_path / 'journal.sqlite3'}")
    set_channel(journal, "T1", "C1", mode="auto")
    desk = Desk(journal, WebClient(), "U0")
    event = {"channel": "C1", "ts": "1700000000.000100", "user": "U1", "text": f"<@U0> {NO_ROOM}"}

    take_message(desk, {"team_id": "T1", "event_id": "Ev1"}, event)

    thread = Thread(workspace="T1", channel="C1", root="1700000000.000100")
    case = fold(entries(journal, thread))
    assert (True, 1) == (case.is_mentioned, len(case.said))
    journal.close()
