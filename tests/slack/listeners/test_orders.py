from __future__ import annotations

from tests.slack.conftest import NO_ROOM, Party, texts, wait_for


def test_a_channel_that_is_off_gets_silence_even_on_a_mention(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, "@vllm-triage off")["ts"]
    party.maya.wait_for_reply(channel, ts)

    asked = party.maya.post(channel, f"@vllm-triage {NO_ROOM}")["ts"]

    party.settled()
    assert [] == party.said(channel, asked)


def test_a_channel_can_go_back_to_mentions_only(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, "@vllm-triage mention only")["ts"]
    party.maya.wait_for_reply(channel, ts)

    paste = party.maya.post(channel, NO_ROOM)["ts"]

    party.settled()
    assert [] == party.said(channel, paste)


def test_help_says_how_to_use_us(party: Party) -> None:
    channel = party.a_channel(mode=None)

    ts = party.maya.post(channel, "@vllm-triage help")["ts"]

    assert "/vllm-size" in party.maya.wait_for_reply(channel, ts)["text"]


def test_resolved_in_a_thread_closes_the_case(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)

    party.jonas.post(channel, "@vllm-triage resolved", thread_ts=ts)

    wait_for(lambda: "Resolved by" in texts(party.said(channel, ts)[0]["blocks"]))


def test_mute_this_thread_needs_no_name(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, NO_ROOM)["ts"]
    party.maya.wait_for_reply(channel, ts)
    party.maya.post(channel, "mute this thread", thread_ts=ts)
    party.settled()
    before = party.said(channel, ts)

    party.maya.post(channel, "it is one L4", thread_ts=ts)

    party.settled()
    assert before == party.said(channel, ts)


def test_alert_bots_are_read_where_they_are_allowed(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, "@vllm-triage allow alerts")["ts"]
    party.maya.wait_for_reply(channel, ts)

    alert = party.maya.do("bot_post", channel=channel, text=NO_ROOM)["ts"]

    assert "KV cache" in party.maya.wait_for_reply(channel, alert)["text"]


def test_an_escalation_mentions_the_group_that_was_named(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(
        channel, "@vllm-triage helpers", raw={"text": f"<@{party.bot_user}> helpers <!subteam^S0HELP>"}
    )["ts"]
    party.maya.wait_for_reply(channel, ts)
    paste = party.maya.post(channel, NO_ROOM)["ts"]
    reply = party.maya.wait_for_reply(channel, paste)["ts"]

    party.maya.click(channel, reply, "vt1:more", "escalate")

    wait_for(lambda: [message for message in party.said(channel, paste) if "S0HELP" in str(message["blocks"])])
