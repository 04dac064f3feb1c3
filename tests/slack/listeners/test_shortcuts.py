from __future__ import annotations

from bot.slack.operating.manifest import SHORTCUT
from tests.slack.conftest import NO_ROOM, Party


def test_the_shortcut_diagnoses_a_message_that_we_did_not_hear(party: Party) -> None:
    channel = party.a_channel(mode=None)
    ts = party.maya.post(channel, NO_ROOM)["ts"]

    party.jonas.do("shortcut", callback_id=SHORTCUT, channel=channel, ts=ts)

    assert "KV cache" in party.maya.wait_for_reply(channel, ts)["text"]
