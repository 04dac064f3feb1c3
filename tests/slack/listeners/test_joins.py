from __future__ import annotations

import uuid

from tests.slack.conftest import NO_ROOM, Party, wait_for


def test_a_channel_that_invites_us_is_welcomed_once(party: Party) -> None:
    channel = party.a_channel(mode=None)
    wait_for(lambda: welcomes(party, channel))

    party.maya.do("remove", channel=channel)
    party.maya.do("invite", channel=channel)

    party.settled()
    assert 1 == len(welcomes(party, channel))


def test_the_welcome_lets_choose_when_we_speak(party: Party) -> None:
    channel = party.a_channel(mode=None)
    (welcome,) = wait_for(lambda: welcomes(party, channel))

    party.maya.click(channel, welcome["ts"], "vt1:mode:auto")
    party.settled()
    ts = party.maya.post(channel, NO_ROOM)["ts"]

    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]


def test_whoever_called_us_before_we_were_invited_is_answered(party: Party) -> None:
    channel = f"c-{uuid.uuid4().hex[:10]}"
    party.maya.do("create", name=channel)
    calls = [party.jonas.post(channel, f"@vllm-triage {NO_ROOM} --port {port}")["ts"] for port in (1, 2)]
    chatter = party.maya.post(channel, NO_ROOM)["ts"]
    party.settled()
    assert [] == party.said(channel, calls[0])

    party.maya.do("invite", channel=channel)

    for ts in calls:
        assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]
    party.settled()
    assert [1, 1, 0] == [len(party.said(channel, ts)) for ts in (*calls, chatter)]


def welcomes(party: Party, channel: str) -> list[dict]:
    return [message for message in party.maya.messages(channel) if "When shall I speak" in message["text"]]
