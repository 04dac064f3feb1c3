from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party


def test_a_redelivered_event_changes_nothing(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)

    for _ in range(3):
        party.maya.do("redeliver", type="message")

    party.settled()
    assert len(party.said(channel, ts)) == 1


def test_one_gesture_with_two_timestamps_is_one_message(party: Party) -> None:
    channel = party.a_channel()
    first = party.maya.post(channel, NO_ROOM, client_msg_id=channel)["ts"]
    party.maya.wait_for_reply(channel, first)

    second = party.maya.post(channel, NO_ROOM, client_msg_id=channel)["ts"]

    party.settled()
    assert party.said(channel, second) == []


def test_another_bot_is_ignored(party: Party) -> None:
    channel = party.a_channel()

    ts = party.maya.do("bot_post", channel=channel, text=NO_ROOM)["ts"]

    party.settled()
    assert party.said(channel, ts) == []


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
