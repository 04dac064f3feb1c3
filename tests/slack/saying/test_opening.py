"""Views that open for who pressed a button, or why they do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.slack.conftest import NO_ROOM, Party, wait_for


@pytest.fixture
def troubled(party: Party) -> Iterator[Party]:
    """A party whose troubles end with the test."""
    yield party
    party.maya.do("fault", clear=True)
    party.maya.do("close", all=True)


def told(party: Party, channel: str, ts: str | None = None) -> list[dict[str, Any]]:
    heard = party.maya.messages(channel, ts)
    return [each for each in heard if "too slow" in each["text"] or "reference" in each["text"]]


def a_reply(party: Party) -> tuple[str, str, str]:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    return channel, ts, party.maya.wait_for_reply(channel, ts)["ts"]


def test_a_press_that_came_too_late_is_acknowledged_and_its_person_told_in_the_thread(troubled: Party) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("fault", kind="error", on="views.open", error="expired_trigger_id")

    pressed = troubled.maya.click(channel, reply, "vt1:details")

    assert pressed["ok"]
    (said,) = wait_for(lambda: told(troubled, channel, ts))
    assert (ts, True) == (said["thread_ts"], said["is_ephemeral"])
    assert [] == [each for each in troubled.jonas.messages(channel, ts) if "too slow" in each["text"]]


def test_a_command_that_came_too_late_says_so_where_we_are_no_member_too(troubled: Party) -> None:
    channel = troubled.a_channel(mode=None)
    troubled.maya.do("remove", channel=channel)
    troubled.maya.do("fault", kind="error", on="views.open", error="expired_trigger_id")

    typed = troubled.maya.slash(channel, "/vllm-size")

    assert typed["ok"]
    assert wait_for(lambda: told(troubled, channel))


def test_a_press_on_the_home_tab_that_came_too_late_is_answered_in_a_direct_message(troubled: Party) -> None:
    channel = troubled.a_channel()
    posted = troubled.maya.post(channel, NO_ROOM)["channel"]
    troubled.maya.do("open_home")
    wait_for(lambda: "vt1:room:find" in str(troubled.maya.do("home")["view"]))
    troubled.maya.do("fault", kind="error", on="views.open", error="expired_trigger_id")
    before = len(told(troubled, "@app"))

    pressed = troubled.maya.do("select", view="home", action_id="vt1:room:find", value=posted)

    assert pressed["ok"]
    wait_for(lambda: before + 1 == len(told(troubled, "@app")))


@pytest.mark.parametrize("kind", ["lost_call", "server_error", "rate_limited", "lost_answer"])
def test_a_slack_that_does_not_listen_once_is_asked_again(troubled: Party, kind: str) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("calls", clear=True)
    troubled.maya.do("fault", kind=kind, on="views.open", seconds=1)

    assert troubled.maya.click(channel, reply, "vt1:details")["ok"]
    wait_for(lambda: 2 == len(troubled.maya.calls("views.open")))
    wait_for(troubled.maya.views)
    troubled.settled()
    assert [] == told(troubled, channel, ts)


@pytest.mark.parametrize(
    ("kind", "seconds", "times", "words"),
    [("rate_limited", 30, 1, "in 30 s"), ("rate_limited", 1, 2, "too busy"), ("server_error", 1, 2, "did not answer")],
)
def test_what_kept_slack_from_opening_is_told(troubled: Party, kind: str, seconds: int, times: int, words: str) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("fault", kind=kind, on="views.open", seconds=seconds, times=times)

    assert troubled.maya.click(channel, reply, "vt1:details")["ok"]

    assert wait_for(lambda: [each for each in troubled.maya.messages(channel, ts) if words in each["text"]])


def test_who_waited_for_a_busy_slack_is_not_told_that_we_were_slow(troubled: Party) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("fault", kind="rate_limited", on="views.open", seconds=1)
    troubled.maya.do("fault", kind="error", on="views.open", error="expired_trigger_id")

    assert troubled.maya.click(channel, reply, "vt1:details")["ok"]

    assert wait_for(lambda: [each for each in troubled.maya.messages(channel, ts) if "too busy" in each["text"]])


def test_a_view_that_slack_refuses_has_a_reference(troubled: Party) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("fault", kind="error", on="views.open", error="invalid_arguments")

    assert troubled.maya.click(channel, reply, "vt1:details")["ok"]
    (said,) = wait_for(lambda: told(troubled, channel, ts))
    assert "reference" in said["text"]


def test_a_view_that_is_open_already_is_no_reason_to_speak(troubled: Party) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("calls", clear=True)
    troubled.maya.do("fault", kind="error", on="views.open", error="exchanged_trigger_id")

    troubled.maya.click(channel, reply, "vt1:details")

    wait_for(lambda: troubled.maya.calls("views.open"))
    troubled.settled()
    assert [] == told(troubled, channel, ts)


@pytest.mark.parametrize("action", ["vt1:resolve", "vt1:unhelpful"])
def test_a_press_that_counts_needs_no_word_when_its_form_does_not_open(troubled: Party, action: str) -> None:
    channel, ts, reply = a_reply(troubled)
    troubled.maya.do("fault", kind="error", on="views.open", error="expired_trigger_id")

    assert troubled.maya.click(channel, reply, action)["ok"]

    troubled.settled()
    assert [] == told(troubled, channel, ts)
