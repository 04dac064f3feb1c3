"""Where the program speaks, and to whom."""

from __future__ import annotations

import pytest

from tests.walk.pastes import DJANGO, NO_ROOM, THANKS
from tests.walk.served import Walk, texts, wait_for

UNSURE = (
    "ValueError: No memory available for the cache block. Try to increase `gpu_memory_utilization` before you initialise "
    "the engine."
)


def test_an_invitation_alone_does_not_make_it_speak(walk: Walk) -> None:
    channel = walk.a_channel(mode=None)

    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    walk.settled()
    assert [] == walk.said(channel, ts)


def test_an_invitation_is_answered_by_one_welcome_that_asks_when_to_speak(walk: Walk) -> None:
    channel = walk.a_channel(mode=None)

    (welcome,) = wait_for(lambda: [each for each in walk.maya.messages(channel) if each.get("bot_id")])
    walk.maya.click(channel, welcome["ts"], "vt1:mode:auto")

    wait_for(lambda: "every vLLM problem" in str(walk.maya.messages(channel)[-1]["text"]))
    assert "KV cache" in walk.answer(NO_ROOM, channel)


@pytest.mark.parametrize(
    ("mode", "is_heard"), [("enable", True), ("mention only", False), ("off", False), ("disable", False)]
)
def test_a_channel_says_by_a_mention_when_it_speaks(walk: Walk, mode: str, is_heard: bool) -> None:
    channel = walk.a_channel(mode)

    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    walk.settled()
    assert is_heard == bool(walk.said(channel, ts))


def test_a_mention_is_answered_in_a_channel_that_speaks_on_mention_only(walk: Walk) -> None:
    channel = walk.a_channel("mention only")

    assert "KV cache" in walk.answer(f"@vllm-triage {NO_ROOM}", channel)


def test_a_channel_that_is_off_stays_quiet_on_a_mention_too(walk: Walk) -> None:
    channel = walk.a_channel("off")

    ts = walk.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    walk.settled()
    assert [] == walk.said(channel, ts)


def test_it_speaks_in_the_thread_only_and_unfurls_nothing(walk: Walk) -> None:
    channel = walk.a_channel()
    posted = walk.maya.post(channel, NO_ROOM)
    walk.maya.do("calls", clear=True)
    walk.reply(channel, walk.maya.post(channel, f"{NO_ROOM} --port 1")["ts"])

    walk.settled()
    for call in walk.maya.calls("chat.postMessage"):
        assert call["args"]["thread_ts"]
        assert not call["args"].get("reply_broadcast")
        assert [False, False] == [call["args"]["unfurl_links"], call["args"]["unfurl_media"]]
    assert 1 == len(walk.said(channel, posted["ts"]))


def test_a_direct_message_needs_no_mention(walk: Walk) -> None:
    assert "KV cache" in walk.answer(NO_ROOM, "@app")


def test_a_direct_message_about_something_else_gets_a_polite_no(walk: Walk) -> None:
    assert "not a vLLM problem I know" in walk.answer(DJANGO, "@app")


def test_what_a_monitor_prints_of_itself_is_explained_to_who_asks_and_to_nobody_else(walk: Walk) -> None:
    channel = walk.a_channel()
    monitor = "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA L40S, 45012 MiB, 46068 MiB"

    assert "GPU 0, L40S: 43.96 GiB of 44.99 GiB in use" in walk.answer(monitor, "@app")
    assert "GPU 0, L40S: 43.96 GiB of 44.99 GiB in use" in walk.answer(f"@vllm-triage {monitor}", channel)
    ts = walk.maya.post(channel, monitor)["ts"]
    walk.settled()
    assert [] == walk.said(channel, ts)


def test_below_confidence_the_poster_alone_is_offered_a_look(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.jonas.post(channel, UNSURE)["ts"]

    (offer,) = wait_for(lambda: walk.whispers(walk.jonas, channel))
    assert [] == walk.said(channel, ts)
    assert [] == walk.whispers(walk.maya, channel)
    walk.jonas.click(channel, offer["ts"], "vt1:look")

    assert walk.reply(channel, ts)
    wait_for(lambda: not walk.whispers(walk.jonas, channel))


def test_an_offer_is_made_once(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.jonas.post(channel, UNSURE)["ts"]
    wait_for(lambda: walk.whispers(walk.jonas, channel))

    walk.jonas.post(channel, "still the same vllm hang today", thread_ts=ts)

    walk.settled()
    assert 1 == len(walk.whispers(walk.jonas, channel))


def test_another_bot_is_ignored_until_alerts_are_allowed(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.do("bot_post", channel=channel, text=NO_ROOM)["ts"]
    walk.settled()
    assert [] == walk.said(channel, ts)

    walk.reply(channel, walk.maya.post(channel, "@vllm-triage allow alerts")["ts"])

    assert walk.reply(channel, walk.maya.do("bot_post", channel=channel, text=f"{NO_ROOM} --port 2")["ts"])


def test_chatter_in_a_case_changes_nothing_that_was_said(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    before = texts(walk.reply(channel, ts)["blocks"])

    walk.jonas.post(channel, THANKS, thread_ts=ts)

    walk.settled()
    assert [before] == [texts(each["blocks"]) for each in walk.said(channel, ts)]


def test_a_long_log_shows_that_it_is_being_read(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.maya.do("calls", clear=True)
    log = "INFO 11-20 10:12:01 [loggers.py:123] Engine 000: Running: 3 reqs\n" * 5_000

    walk.reply(channel, walk.maya.do("upload", channel=channel, content=log, text=NO_ROOM)["ts"])

    walk.settled()
    statuses = [call["args"]["status"] for call in walk.maya.calls("assistant.threads.setStatus")]
    assert ["is reading your log…", ""] == statuses
