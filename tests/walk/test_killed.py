"""A power cut between writing, posting and recording: exactly one reply, and nothing lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.walk.pastes import KV_TOO_SMALL, NO_ROOM
from tests.walk.served import Transport, Walk, texts, wait_for


@pytest.fixture(params=["socket", "http"])
def walk(request: pytest.FixtureRequest, mortal: Callable[[Transport], Walk]) -> Walk:
    """A program that may be killed."""
    return mortal(request.param)


def calls(walk: Walk, method: str, ts: str) -> list[dict[str, object]]:
    return [call for call in walk.maya.calls(method) if ts in {call["args"].get("thread_ts"), call["args"].get("ts")}]


def replies(walk: Walk, channel: str, ts: str) -> list[str]:
    return [each["ts"] for each in walk.said(channel, ts)]


def test_between_writing_and_posting(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="server_error", on="chat.postMessage", times=99)
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    wait_for(lambda: calls(walk, "chat.postMessage", ts))

    walk.kill()
    walk.maya.do("fault", clear=True)
    assert [] == replies(walk, channel, ts)
    walk.start()

    wait_for(lambda: replies(walk, channel, ts))
    walk.settled()
    assert 1 == len(replies(walk, channel, ts))


def test_while_posting(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="delay", on="chat.postMessage", seconds=1)
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    wait_for(lambda: calls(walk, "chat.postMessage", ts))

    walk.kill()  # Slack has the call and carries it out when nobody listens any more
    wait_for(lambda: replies(walk, channel, ts))
    walk.start()

    walk.settled()
    assert 1 == len(replies(walk, channel, ts))


def test_between_posting_and_recording(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="lost_answer", on="chat.postMessage", times=99)
    walk.maya.do("fault", kind="server_error", on="conversations.replies", times=99)
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    wait_for(lambda: replies(walk, channel, ts))

    walk.kill()
    walk.maya.do("fault", clear=True)
    walk.start()

    walk.settled()
    walk.jonas.post(channel, "one free L4, vllm 0.11.0", thread_ts=ts)
    wait_for(lambda: "L4" in texts(walk.said(channel, ts)[0]["blocks"]))
    assert 1 == len(replies(walk, channel, ts))


def test_before_the_edit_of_a_reply_is_recorded(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    walk.reply(channel, ts)
    walk.settled()
    walk.maya.do("fault", kind="lost_answer", on="chat.update", times=99)
    walk.maya.do("edit", channel=channel, ts=ts, text=KV_TOO_SMALL)
    wait_for(lambda: "131,072" in texts(walk.said(channel, ts)[0]["blocks"]))

    walk.kill()
    walk.maya.do("fault", clear=True)
    walk.start()

    walk.settled()
    assert 1 == len(replies(walk, channel, ts))
    assert "131,072" in texts(walk.said(channel, ts)[0]["blocks"])


def test_again_and_again_under_load(walk: Walk) -> None:
    channel = walk.a_channel()
    sent: list[str] = []
    for round_ in range(2):
        fresh = [walk.maya.post(channel, f"{NO_ROOM} --port {round_}{n}")["ts"] for n in range(8)]
        wait_for(lambda fresh=fresh: any(replies(walk, channel, ts) for ts in fresh))
        sent += fresh
        walk.kill()
        walk.start()

    wait_for(lambda: all(replies(walk, channel, ts) for ts in sent))
    walk.settled()
    assert {1} == {len(replies(walk, channel, ts)) for ts in sent}
