from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.case import Entry, EntryKind
from bot.journal.effects import begin
from bot.journal.entries import remember
from bot.slack.desk import moment, now
from bot.slack.saying.delivery import MOST_TEXT, Message
from tests.slack.conftest import NO_ROOM, Party, texts, wait_for
from tests.slack.listeners.test_actions import the_thread


@pytest.fixture
def troubled(party: Party) -> Iterator[Party]:
    """A party whose troubles end with the test."""
    yield party
    party.maya.do("fault", clear=True)
    party.maya.do("scopes")


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("rate_limited", "chat.postMessage"),
        ("server_error", "chat.postMessage"),
        ("lost_call", "chat.postMessage"),
        ("lost_answer", "chat.postMessage"),
        ("delay", "chat.postMessage"),
        ("server_error", "reactions.add"),
        ("rate_limited", "conversations.info"),
        ("lost_answer", "reactions.add"),
    ],
)
def test_there_is_one_reply_whatever_goes_wrong(troubled: Party, kind: str, method: str) -> None:
    channel = troubled.a_channel()
    troubled.maya.do("fault", kind=kind, on=method, seconds=1)

    ts = troubled.maya.post(channel, NO_ROOM)["ts"]

    assert "KV cache" in troubled.maya.wait_for_reply(channel, ts)["text"]
    troubled.settled()
    assert 1 == len(troubled.said(channel, ts))


def test_an_edit_that_was_refused_for_now_comes_later(troubled: Party) -> None:
    channel = troubled.a_channel()
    ts = troubled.maya.post(channel, NO_ROOM)["ts"]
    reply = troubled.maya.wait_for_reply(channel, ts)["ts"]
    troubled.settled()
    troubled.maya.do("fault", kind="rate_limited", on="chat.update", seconds=1)

    troubled.maya.click(channel, reply, "vt1:resolve")

    wait_for(lambda: "Resolved" in texts(troubled.said(channel, ts)[0]["blocks"]))


def test_blocks_that_slack_refuses_are_said_in_plain_text(troubled: Party) -> None:
    channel = troubled.a_channel()
    troubled.maya.do("fault", kind="error", on="chat.postMessage", error="invalid_blocks")

    ts = troubled.maya.post(channel, NO_ROOM)["ts"]

    assert "KV cache" in troubled.maya.wait_for_reply(channel, ts)["text"]


def test_a_refusal_for_good_is_told_with_a_reference(troubled: Party, caplog: pytest.LogCaptureFixture) -> None:
    channel = troubled.a_channel()
    troubled.maya.do("fault", kind="error", on="chat.postMessage", error="restricted_action")

    ts = troubled.maya.post(channel, NO_ROOM)["ts"]

    said = troubled.maya.wait_for_reply(channel, ts)["text"]
    reference = said.partition("reference ")[2][:8]
    assert reference
    assert reference in caplog.text


def test_a_thread_that_cannot_be_told_is_logged_without_a_traceback(
    troubled: Party, caplog: pytest.LogCaptureFixture
) -> None:
    channel = troubled.a_channel()
    troubled.maya.do("fault", kind="error", on="chat.postMessage", error="restricted_action", times=2)

    troubled.maya.post(channel, NO_ROOM)

    wait_for(lambda: "could not be told: restricted_action" in caplog.text)
    assert [] == [record for record in caplog.records if record.exc_info]


def test_a_scope_that_is_missing_is_named(troubled: Party) -> None:
    channel = troubled.a_channel()
    troubled.maya.do("fault", kind="lost_answer", on="chat.postMessage")
    troubled.maya.do("scopes", without=["channels:history"])

    ts = troubled.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    wait_for(lambda: [message for message in troubled.said(channel, ts) if ":history" in message["text"]])


def test_a_crash_between_posting_and_recording_posts_nothing_twice(troubled: Party) -> None:
    channel = troubled.a_channel()
    ts = troubled.maya.post(channel, NO_ROOM)["ts"]
    reply = troubled.maya.wait_for_reply(channel, ts)["ts"]
    troubled.settled()
    thread = the_thread(troubled, ts)
    forget(troubled, thread.root)
    begin(troubled.journal, thread, "reply", now())

    remember(troubled.journal, thread, Entry(kind=EntryKind.RESOLVED, at=moment(None)), [f"again:{ts}"])

    wait_for(lambda: "Resolved" in texts(troubled.said(channel, ts)[0]["blocks"]))
    assert [reply] == [message["ts"] for message in troubled.said(channel, ts)]


def forget(party: Party, root: str) -> None:
    with party.journal.engine.begin() as connection:
        connection.exec_driver_sql(f"DELETE FROM effects WHERE root = '{root}' AND purpose = 'reply'")


def test_an_edit_whose_blocks_slack_refuses_is_said_in_plain_text(troubled: Party) -> None:
    channel = troubled.a_channel()
    ts = troubled.maya.post(channel, NO_ROOM)["ts"]
    reply = troubled.maya.wait_for_reply(channel, ts)["ts"]
    troubled.settled()
    troubled.maya.do("fault", kind="error", on="chat.update", error="msg_blocks_too_long")

    troubled.maya.click(channel, reply, "vt1:resolve")

    wait_for(lambda: not troubled.said(channel, ts)[0].get("blocks"))
    assert "KV cache" in troubled.said(channel, ts)[0]["text"]


def test_a_text_is_no_longer_than_slack_takes() -> None:
    assert MOST_TEXT == len(Message("x" * 50_000).short)
