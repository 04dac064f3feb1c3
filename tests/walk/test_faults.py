"""Whatever goes wrong between Slack and the program: exactly one reply, and nothing lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.walk.pastes import KV_TOO_SMALL, NO_BLOCKS, NO_ROOM
from tests.walk.served import Json, Walk, texts, wait_for

# Every method that the program calls on the way to a reply, with what makes it call it.
METHODS = (
    "chat.postMessage",
    "chat.update",
    "reactions.add",
    "reactions.remove",
    "conversations.replies",
    "conversations.info",
    "chat.getPermalink",
    "assistant.threads.setStatus",
)


@pytest.fixture
def walk(walk: Walk) -> Iterator[Walk]:
    """The walk of all, left without a fault."""
    yield walk
    walk.maya.do("fault", clear=True)
    walk.maya.do("clock", factor=1)
    walk.maya.do("scopes")


def only_reply(walk: Walk, channel: str, ts: str) -> Json:
    """Return the reply of a case after everything came to rest; there must be exactly one."""
    wait_for(lambda: walk.said(channel, ts))
    walk.settled()
    (reply,) = walk.said(channel, ts)
    return reply


def test_a_retry_of_the_same_event(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    only_reply(walk, channel, ts)

    for number in (1, 2, 3):
        assert walk.maya.do("redeliver", type="message", number=number)["ok"]

    assert only_reply(walk, channel, ts)


def test_an_event_that_is_delivered_twice_at_once(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="duplicate", on="message")

    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    assert only_reply(walk, channel, ts)


def test_a_lost_acknowledgement_makes_slack_retry(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("clock", factor=600)
    walk.maya.do("fault", kind="no_ack", on="message", times=3)

    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    assert only_reply(walk, channel, ts)


@pytest.mark.parametrize("held", ["message", "app_mention"])
def test_a_message_and_its_mention_in_either_order(walk: Walk, held: str) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="hold", on=held, seconds=0.4)

    ts = walk.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    only_reply(walk, channel, ts)
    walk.maya.do("settle")
    assert only_reply(walk, channel, ts)


def test_a_mention_whose_plain_message_was_not_for_us(walk: Walk) -> None:
    channel = walk.a_channel("mention only")
    walk.maya.do("fault", kind="hold", on="app_mention", seconds=0.4)

    ts = walk.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    assert only_reply(walk, channel, ts)


def test_one_gesture_that_arrives_as_two_messages(walk: Walk) -> None:
    channel = walk.a_channel()
    first = walk.maya.post(channel, NO_ROOM, client_msg_id="0d1c9a52-twice")["ts"]
    only_reply(walk, channel, first)

    second = walk.maya.post(channel, NO_ROOM, client_msg_id="0d1c9a52-twice")["ts"]

    walk.settled()
    assert [1, 0] == [len(walk.said(channel, ts)) for ts in (first, second)]


def test_an_edit_without_a_change(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    reply = only_reply(walk, channel, ts)

    walk.maya.do("unfurl", channel=channel, ts=ts)
    walk.maya.do("unfurl", channel=channel, ts=reply["ts"])

    assert reply["blocks"] == only_reply(walk, channel, ts)["blocks"]


def test_a_reply_that_arrives_before_its_root(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="hold", on="message", seconds=0.5)
    ts = walk.maya.post(channel, NO_BLOCKS)["ts"]

    walk.maya.post(channel, "vllm 0.11.0, one free L4, --gpu-memory-utilization 0.4", thread_ts=ts)

    walk.maya.do("settle")
    assert "L4" in texts(only_reply(walk, channel, ts)["blocks"])


def test_an_edit_that_arrives_before_its_message(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="hold", on="message", seconds=0.5)
    ts = walk.maya.post(channel, NO_BLOCKS)["ts"]

    walk.maya.do("edit", channel=channel, ts=ts, text=KV_TOO_SMALL)

    walk.maya.do("settle")
    wait_for(lambda: "131,072" in texts((walk.said(channel, ts) or [{"blocks": []}])[0]["blocks"]))
    assert only_reply(walk, channel, ts)


def test_a_deletion_that_arrives_before_its_message(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="hold", on="message", seconds=0.5)
    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    walk.maya.do("delete", channel=channel, ts=ts)

    walk.maya.do("settle")
    walk.settled()
    assert [] == walk.said(channel, ts)


def test_an_edit_while_the_reply_is_being_posted(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="delay", on="chat.postMessage", seconds=0.6)
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    wait_for(lambda: [call for call in walk.maya.calls("chat.postMessage") if call["args"].get("thread_ts") == ts])

    walk.maya.do("edit", channel=channel, ts=ts, text=KV_TOO_SMALL)

    wait_for(lambda: "131,072" in texts((walk.said(channel, ts) or [{"blocks": []}])[0]["blocks"]))
    assert only_reply(walk, channel, ts)


def test_a_deletion_while_the_reply_is_being_posted(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="delay", on="chat.postMessage", seconds=0.6)
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    wait_for(lambda: [call for call in walk.maya.calls("chat.postMessage") if call["args"].get("thread_ts") == ts])

    walk.maya.do("delete", channel=channel, ts=ts)

    walk.settled()
    wait_for(lambda: not walk.said(channel, ts))


def exercise(walk: Walk) -> None:
    """Paste, answer, resolve, and paste the same again: every method is called; then see that all is in place."""
    channel = walk.a_channel()
    ts = walk.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]
    reply = only_reply(walk, channel, ts)
    walk.jonas.post(channel, "one free L4, vllm 0.11.0", thread_ts=ts)
    wait_for(lambda: "L4" in texts(walk.said(channel, ts)[0]["blocks"]))
    walk.jonas.click(channel, reply["ts"], "vt1:resolve")
    walk.jonas.do("close", all=True)
    wait_for(lambda: "Resolved by" in texts(walk.said(channel, ts)[0]["blocks"]))
    again = walk.maya.post(channel, NO_ROOM)["ts"]
    assert [reply["ts"]] == [only_reply(walk, channel, ts)["ts"]]
    assert only_reply(walk, channel, again)


@pytest.mark.parametrize("kind", ["rate_limited", "server_error", "lost_answer", "lost_call"])
def test_every_method_fails_once(walk: Walk, kind: str) -> None:
    for method in METHODS:
        walk.maya.do("fault", kind=kind, on=method, seconds=1)

    exercise(walk)

    assert [] == walk.query("SELECT attempts FROM cases WHERE taken > answered")


def test_everything_fails_for_a_while(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="server_error", on="*", times=4)

    sent = [walk.maya.post(channel, f"{NO_ROOM} --port {n}")["ts"] for n in range(5)]

    for ts in sent:
        assert only_reply(walk, channel, ts)


@pytest.mark.parametrize("scope", ["channels:history", "reactions:write", "files:read", "files:write", "users:read"])
def test_a_missing_scope(walk: Walk, scope: str) -> None:
    channel = walk.a_channel("mention only")
    walk.maya.do("scopes", without=[scope])

    ts = walk.maya.post(channel, f"@vllm-triage {KV_TOO_SMALL}")["ts"]

    assert only_reply(walk, channel, ts)


@pytest.mark.parametrize("farewell", [{"cut": True}, {"farewell": "refresh_requested"}, {"farewell": "warning"}])
def test_a_dropped_socket_loses_nothing(mortal: Callable[..., Walk], farewell: Json) -> None:
    walk = mortal("socket")
    channel = walk.a_channel()
    walk.reply(channel, walk.maya.post(channel, NO_ROOM)["ts"])
    walk.settled()

    walk.maya.do("sockets", **farewell)
    sent = [walk.maya.post(channel, f"{KV_TOO_SMALL} {n}")["ts"] for n in range(3)]

    for ts in sent:
        assert only_reply(walk, channel, ts)


def test_what_was_said_while_the_program_was_away_is_read_up(mortal: Callable[..., Walk]) -> None:
    walk = mortal("socket")
    channel = walk.a_channel()
    before = walk.maya.post(channel, NO_ROOM)["ts"]
    walk.reply(channel, before)
    walk.settled()
    walk.kill()

    missed = walk.maya.post(channel, KV_TOO_SMALL)["ts"]
    walk.maya.post(channel, "one free L4, vllm 0.11.0", thread_ts=before)
    walk.start()

    assert only_reply(walk, channel, missed)
    wait_for(lambda: "L4" in texts(walk.said(channel, before)[0]["blocks"]))
    assert only_reply(walk, channel, before)


def test_many_people_at_once(walk: Walk) -> None:
    channels = [walk.a_channel() for _ in range(4)]

    with ThreadPoolExecutor(8) as hands:
        posted = list(hands.map(lambda n: walk.maya.post(channels[n % 4], f"{NO_ROOM} --port {n}"), range(24)))

    walk.settled()
    assert {1} == {len(walk.said(each["channel"], each["ts"])) for each in posted}
