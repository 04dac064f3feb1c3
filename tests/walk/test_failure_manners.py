"""When something fails: one honest sentence, a reference that the log has too, and patience with Slack."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.walk.pastes import KV_TOO_SMALL, NO_ROOM
from tests.walk.served import Walk, texts, wait_for


@pytest.fixture
def walk(walk: Walk) -> Iterator[Walk]:
    """The walk of all, left without a fault."""
    yield walk
    walk.maya.do("fault", clear=True)
    walk.maya.do("rates", on=False)
    walk.maya.do("scopes")


def test_a_refusal_is_told_once_with_a_reference_that_the_log_has(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="error", on="chat.postMessage", error="restricted_action")

    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    said = walk.reply(channel, ts)["text"]
    reference = re.search(r"reference (\w{8})", said)
    assert reference
    walk.settled()
    assert reference[1] in walk.errors()
    assert 1 == len(walk.said(channel, ts))


def test_what_people_paste_is_not_in_the_log(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="error", on="chat.postMessage", error="restricted_action")

    ts = walk.maya.post(channel, f"{NO_ROOM} --served-model-name project-nightingale")["ts"]

    walk.reply(channel, ts)
    walk.settled()
    assert "nightingale" not in walk.errors()


def test_a_refused_layout_falls_back_to_plain_text(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="error", on="chat.postMessage", error="invalid_blocks")

    ts = walk.maya.post(channel, KV_TOO_SMALL)["ts"]

    assert "cannot hold one request" in walk.reply(channel, ts)["text"]


def test_a_rate_limit_is_waited_out_and_holds_nobody_else_up(walk: Walk) -> None:
    slow, fast = walk.a_channel(), walk.a_channel()
    walk.maya.do("fault", kind="rate_limited", on="chat.postMessage", seconds=600)
    late = walk.maya.post(slow, NO_ROOM)["ts"]
    wait_for(lambda: walk.query("SELECT due_at FROM cases WHERE root = ? AND due_at IS NOT NULL", late))

    assert walk.reply(fast, walk.maya.post(fast, KV_TOO_SMALL)["ts"])
    ((wait,),) = walk.query("SELECT (julianday(due_at) - julianday('now')) * 86400 FROM cases WHERE root = ?", late)
    assert 500 < wait < 601
    assert [] == walk.said(slow, late)
    walk.query("UPDATE cases SET due_at = NULL WHERE root = ?", late)  # ten minutes later

    assert walk.reply(slow, late)
    walk.settled()
    assert 1 == len(walk.said(slow, late))


def test_slacks_own_limits_lose_nothing(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("rates", on=True)

    sent = [walk.maya.post(channel, f"{NO_ROOM} --port {n}")["ts"] for n in range(6)]

    wait_for(lambda: all(walk.said(channel, ts) for ts in sent))
    assert {1} == {len(walk.said(channel, ts)) for ts in sent}


def test_a_missing_scope_is_named_with_what_an_admin_can_do(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("scopes", without=["files:read"])

    ts = walk.maya.upload(channel, KV_TOO_SMALL, text="@vllm-triage look")["ts"]

    said = wait_for(lambda: [each for each in walk.said(channel, ts) if "files:read" in each["text"]])
    assert "admin" in said[0]["text"]


def test_a_login_page_instead_of_a_file_is_not_read_as_a_log(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("fault", kind="html_file", on="download", times=5)

    ts = walk.maya.upload(channel, KV_TOO_SMALL, text=NO_ROOM)["ts"]

    wait_for(lambda: [each for each in walk.said(channel, ts) if "files:read" in each["text"]])
    assert not [each for each in walk.said(channel, ts) if "Sign in" in f"{each['text']} {texts(each.get('blocks'))}"]


def test_a_missing_nicety_costs_only_the_nicety(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("scopes", without=["reactions:write", "files:write", "users:read", "usergroups:read"])

    ts = walk.maya.post(channel, KV_TOO_SMALL)["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])
    walk.settled()
    assert 1 == len(walk.said(channel, ts))


def test_a_scope_that_comes_back_is_used_again(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("scopes", without=["reactions:write"])
    ts = walk.maya.post(channel, KV_TOO_SMALL)["ts"]
    reply = walk.reply(channel, ts)
    walk.settled()
    walk.maya.do("scopes")

    walk.maya.click(channel, reply["ts"], "vt1:resolve")

    wait_for(lambda: ["white_check_mark"] == walk.marks(channel, ts))
    walk.maya.do("close", all=True)
